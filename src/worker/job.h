// A job: one unit of work next to the hardware, as job.json says it. Pure. May know: base, judge,
// stats. Format: docs/formats/job.md. The result: worker/result.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "judge/tolerance.h"
#include "stats/sequential.h"

namespace forge {

// forge-worker's exit code when an error of kind kEnvironment kept it from writing its result.
inline constexpr int kWorkerExitEnvironment = 3;

enum class JobKind {
  kAlign,     // oracle against every reference; calibrates the tolerance
  kBaseline,  // times the references, A/A batches of the fastest, copy bandwidth
  kCheck,     // checks one candidate; times nothing
  kJudge,     // checks one candidate, times it beside its opponents; stops at a look
  kConfirm,   // the same with a fixed number of new trials, warm cache and ceilings besides
  kPlan,      // compiles one CUDA candidate and plans its launches; runs nothing on a device
  kSweep,     // checks many candidates and times each beside the incumbent for a few trials
};

enum class ArmRole { kCandidate, kIncumbent, kReference };
enum class ArmLanguage { kKernel, kPython };  // kKernel: the kernel interface

struct ArmSpec {
  std::string label;  // unique in the job: "candidate", "incumbent", "reference", "reference-1"
  ArmRole role = ArmRole::kReference;
  ArmLanguage language = ArmLanguage::kKernel;
  std::string source;  // relative to the bundle
  std::map<std::string, std::string> tunables;
  std::vector<std::string> libraries;  // not empty: trusted and unconfined
};

struct TimingPlan {
  LookPlan looks;
  int pairs_per_shape = 3;  // a trial, at least
  int confirm_trials = 12;  // kConfirm: exactly so many
  double confirm_alpha = 0.01;
  double machine_sd = 0;  // from the baseline; 0: unknown
  int baseline_batches = 5;
  int trials_per_batch = 6;
  // Shorter calls are timed several to an interval: what may hide in its beginning and end is small
  // beside that.
  std::int64_t min_interval_ns = 500'000;
  int max_calls_per_interval = 32;
  // Short intervals are dear to spread and cheap to repeat: a trial takes more pairs until an arm
  // has run so long on a shape, or had so many calls, each of which needs a content of its own.
  std::int64_t min_trial_ns = 10'000'000;
  int max_calls_per_trial = 96;
};

// kSweep: few trials for the many, more for the few. What it finds are hints, never verdicts.
struct SweepPlan {
  std::map<std::string, int> trials;         // of each candidate, by label
  std::vector<std::string> known_artefacts;  // digests: such a candidate is not timed again
};

struct JobLimits {
  double call_seconds = 20;  // one call of a kernel that has not returned by then has timed out
  double compile_seconds = 120;
  std::uint64_t memory_bytes = 4ull << 30;  // a runner's private memory
};

// Bundle: job.json, problem/ (frozen, judge included), arms/<label>/…
struct JobSpec {
  std::string id;
  JobKind kind = JobKind::kJudge;
  std::vector<ArmSpec> arms;
  std::vector<std::uint64_t> seeds;  // drawn by the driver from its secret pool
  bool hidden_shapes = false;        // confirmation: problem/hidden_shapes.json too
  ToleranceTable tolerance;          // empty for kAlign and kPlan
  TimingPlan timing;
  SweepPlan sweep;  // kSweep only
  JobLimits limits;
  std::string cache;         // absolute; oracle cases and build artefacts
  std::string check_digest;  // of problem/'s judge files; differs: the job is refused
};

std::string_view job_kind_name(JobKind kind);
std::string_view arm_role_name(ArmRole role);

Json to_json(const JobSpec& job);
Result<JobSpec> job_from_json(const Json& json, std::string_view document);

}  // namespace forge
