// Which jobs a run orders: pure functions of its state, so that a repeated action orders the same
// job. May know: run, problem, delivery/bundle.h, worker/job.h.
#pragma once

#include <cstdint>
#include <vector>

#include "delivery/bundle.h"
#include "problem/problem.h"
#include "run/paths.h"
#include "run/state.h"

namespace forge {

struct JobOrder {
  int number = 0;
  JobSpec spec;
  std::vector<BundleArm> arms;
};

// What all jobs of a run share.
struct JobBasis {
  const Problem& problem;
  const State& state;
  const RunPaths& paths;
  std::string cache;
  std::string check_digest;
  ToleranceTable tolerance;  // empty before the judge is frozen
};

JobOrder align_job(const JobBasis& basis, int number, std::vector<std::uint64_t> seeds);
JobOrder baseline_job(const JobBasis& basis, int number, std::vector<std::uint64_t> seeds);
// The candidate in the operator tree beside the incumbent, if there is one, and the reference.
JobOrder round_job(const JobBasis& basis, const RoundStarted& round,
                   std::vector<std::uint64_t> seeds);
// The best beside all references.
JobOrder confirm_job(const JobBasis& basis, int number, const RoundStarted& best,
                     std::vector<std::uint64_t> seeds);

}  // namespace forge
