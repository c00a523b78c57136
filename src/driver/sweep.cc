#include "driver/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "student/verdict.h"
#include "target/tunables.h"

namespace forge {
namespace {

constexpr std::size_t kMostFailureBytes = 500;

std::string label_of(std::size_t request) { return fmt::format("{}-{}", kCandidateArm, request); }

std::string failure_of(const CandidateOutcome& outcome) {
  if (std::holds_alternative<Passed>(outcome)) return "";
  return fmt::format("{}: {}", verdict_name(outcome), clip(explain(outcome), kMostFailureBytes));
}

const SweepArm* arm_labelled(const SweepResult& result, std::string_view label) {
  const auto found = std::find_if(result.arms.begin(), result.arms.end(),
                                  [&](const SweepArm& arm) { return arm.label == label; });
  return found == result.arms.end() ? nullptr : &*found;
}

BundleArm sweep_arm(std::string label, ArmRole role, const Path& kernel,
                    const std::map<std::string, std::string>& settings) {
  BundleArm arm;
  arm.spec.label = std::move(label);
  arm.spec.role = role;
  arm.spec.tunables = header_settings(settings);
  arm.file = kernel;
  return arm;
}

}  // namespace

JobOrder sweep_job(const JobBasis& basis, int number, const SweepOrder& sweep,
                   std::vector<std::uint64_t> seeds) {
  FORGE_CHECK(!sweep.requests.empty() && sweep.requests.size() <= kMostSweepCandidates);
  JobOrder job = align_job(basis, number, std::move(seeds));
  job.spec.kind = JobKind::kSweep;
  job.spec.sweep.known_artefacts = sweep.known_artefacts;
  job.arms.clear();
  for (std::size_t i = 0; i < sweep.requests.size(); ++i) {
    job.arms.push_back(
        sweep_arm(label_of(i), ArmRole::kCandidate, sweep.kernel, sweep.requests[i].settings));
    job.spec.sweep.trials[label_of(i)] = sweep.requests[i].trials;
  }
  job.arms.push_back(
      sweep_arm(std::string(kIncumbentArm), ArmRole::kIncumbent, sweep.kernel, sweep.origin));
  return job;
}

Result<std::vector<Observation>> observations_of(const SweepResult& result, int job,
                                                 const std::vector<SearchRequest>& requests) {
  if (!std::holds_alternative<Passed>(result.incumbent)) {
    return Error{ErrorKind::kInvalidInput, "cannot search from", "the kernel's own values",
                 failure_of(result.incumbent), "begin from values that make a right kernel"};
  }
  std::vector<Observation> observations;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const SweepArm* arm = arm_labelled(result, label_of(i));
    if (arm == nullptr || std::holds_alternative<NoVerdict>(arm->outcome)) continue;
    const SweepArm* twin = arm_labelled(result, arm->same_as);
    Observation made;
    made.settings = requests[i].settings;
    made.job = job;
    made.failure = failure_of(twin != nullptr ? twin->outcome : arm->outcome);
    made.artefact = arm->artefact;
    made.trials = arm->log_ratios;
    observations.push_back(std::move(made));
  }
  return observations;
}

std::vector<std::string> known_artefacts(const std::vector<Observation>& observations,
                                         const std::vector<SearchRequest>& requests) {
  const auto is_asked_for = [&](const Observation& observation) {
    return std::any_of(requests.begin(), requests.end(), [&](const SearchRequest& request) {
      return request.settings == observation.settings;
    });
  };
  std::set<std::string> known;
  for (const Observation& each : observations) {
    if (!each.artefact.empty()) known.insert(each.artefact);
  }
  for (const Observation& each : observations) {
    if (is_asked_for(each)) known.erase(each.artefact);
  }
  return {known.begin(), known.end()};
}

}  // namespace forge
