#include "evolve/cumulative.h"

#include <fmt/format.h>

#include "student/verdict.h"

namespace forge {
namespace {

std::string label_of(int generation) { return fmt::format("generation-{}", generation); }

Error lacks(const JobResult& result, std::string cause) {
  return Error{ErrorKind::kInfrastructure, "cannot use the result of job", result.id,
               std::move(cause), "run forge evolve again"};
}

}  // namespace

JobOrder cumulative_job(const JobBasis& basis, const std::vector<GenerationKernel>& kernels,
                        std::vector<std::uint64_t> seeds) {
  FORGE_CHECK(!kernels.empty());
  JobOrder job = baseline_job(basis, 1, std::move(seeds));
  job.spec.kind = JobKind::kConfirm;
  for (const GenerationKernel& kernel : kernels) {
    const bool is_last = &kernel == &kernels.back();
    BundleArm arm;
    arm.spec.label = is_last ? std::string(kCandidateArm) : label_of(kernel.generation);
    arm.spec.role = is_last ? ArmRole::kCandidate : ArmRole::kReference;
    arm.spec.language = ArmLanguage::kKernel;
    arm.file = kernel.file;
    job.arms.insert(is_last ? job.arms.begin() : job.arms.end(), std::move(arm));
  }
  return job;
}

Result<std::vector<CumulativeRatio>> cumulative_ratios(const JobResult& result,
                                                       const std::vector<GenerationKernel>& kernels,
                                                       std::string_view opponent,
                                                       double machine_sd) {
  const TimingPlan plan;
  const auto* body = std::get_if<JudgeResult>(&result.body);
  if (body == nullptr) return lacks(result, "it is of another kind");
  if (!std::holds_alternative<Passed>(body->outcome)) {
    return lacks(result,
                 "the last generation's kernel no longer passes: " + explain(body->outcome));
  }
  const Contrast* reference = cold_contrast(*body, opponent);
  if (reference == nullptr) return lacks(result, "it has no times of the original reference");
  std::vector<CumulativeRatio> ratios;
  for (const GenerationKernel& kernel : kernels) {
    std::vector<double> logs = reference->log_ratios;
    if (&kernel != &kernels.back()) {
      const Contrast* own = cold_contrast(*body, label_of(kernel.generation));
      if (own == nullptr || own->log_ratios.size() != logs.size()) {
        return lacks(result, fmt::format("it has no times of generation {}", kernel.generation));
      }
      for (std::size_t i = 0; i < logs.size(); ++i) logs[i] -= own->log_ratios[i];
    }
    const Decided decided = conclude(logs, plan.confirm_alpha, machine_sd, plan.looks.same_margin);
    ratios.push_back({kernel.generation, {decided.ratio, decided.comparison, decided.trials}});
  }
  return ratios;
}

}  // namespace forge
