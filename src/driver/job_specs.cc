#include "driver/job_specs.h"

#include <fmt/format.h>

#include "student/verdict.h"

namespace forge {
namespace {

ArmLanguage arm_language(ReferenceLanguage language) {
  return language == ReferenceLanguage::kPython ? ArmLanguage::kPython : ArmLanguage::kKernel;
}

std::vector<BundleArm> reference_arms(const Problem& problem) {
  std::vector<BundleArm> arms;
  for (const auto& implementation : problem.reference.implementations) {
    BundleArm arm;
    arm.spec.label = arms.empty() ? "reference" : fmt::format("reference-{}", arms.size());
    arm.spec.role = ArmRole::kReference;
    arm.spec.language = arm_language(implementation.language);
    arm.spec.source = "problem/" + implementation.run;
    arm.spec.libraries = implementation.libraries;
    arms.push_back(std::move(arm));
  }
  return arms;
}

BundleArm kernel_arm(std::string_view label, ArmRole role, Path file) {
  BundleArm arm;
  arm.spec.label = label;
  arm.spec.role = role;
  arm.spec.language = ArmLanguage::kKernel;
  arm.file = std::move(file);
  return arm;
}

JobOrder order(const JobBasis& basis, int number, JobKind kind, std::vector<std::uint64_t> seeds) {
  JobOrder job;
  job.number = number;
  job.spec.id = numbered(number);
  job.spec.kind = kind;
  job.spec.seeds = std::move(seeds);
  job.spec.cache = basis.cache;
  job.spec.check_digest = basis.check_digest;
  job.spec.tolerance = basis.tolerance;
  if (basis.state.baseline) job.spec.timing.machine_sd = basis.state.baseline->machine_sd;
  return job;
}

}  // namespace

JobOrder align_job(const JobBasis& basis, int number, std::vector<std::uint64_t> seeds) {
  auto job = order(basis, number, JobKind::kAlign, std::move(seeds));
  job.arms = reference_arms(basis.problem);
  return job;
}

JobOrder baseline_job(const JobBasis& basis, int number, std::vector<std::uint64_t> seeds) {
  auto job = order(basis, number, JobKind::kBaseline, std::move(seeds));
  job.arms = reference_arms(basis.problem);
  return job;
}

JobOrder round_job(const JobBasis& basis, const RoundStarted& round,
                   std::vector<std::uint64_t> seeds) {
  auto job = order(basis, round.job, JobKind::kJudge, std::move(seeds));
  job.arms.push_back(kernel_arm(kCandidateArm, ArmRole::kCandidate, basis.paths.tree_kernel()));
  if (const auto* best = basis.state.best()) {
    job.arms.push_back(kernel_arm(kIncumbentArm, ArmRole::kIncumbent,
                                  basis.paths.job_candidate(best->started.job)));
  }
  for (auto& arm : reference_arms(basis.problem)) {
    const bool is_opponent =
        basis.state.baseline && arm.spec.label == opponent_to_beat(basis.state);
    if (is_opponent) job.arms.push_back(std::move(arm));
  }
  return job;
}

JobOrder confirm_job(const JobBasis& basis, int number, const RoundStarted& best,
                     std::vector<std::uint64_t> seeds) {
  auto job = order(basis, number, JobKind::kConfirm, std::move(seeds));
  job.spec.hidden_shapes = !basis.problem.hidden_shapes.empty();
  job.arms.push_back(
      kernel_arm(kCandidateArm, ArmRole::kCandidate, basis.paths.job_candidate(best.job)));
  for (auto& arm : reference_arms(basis.problem)) job.arms.push_back(std::move(arm));
  return job;
}

}  // namespace forge
