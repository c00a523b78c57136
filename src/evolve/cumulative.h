// All generations of a chain and the original references side by side. Pure. May know:
// chain_state.h, driver/job_specs.h, worker/result.h.
#pragma once

#include <vector>

#include "driver/job_specs.h"
#include "evolve/chain_state.h"
#include "worker/result.h"

namespace forge {

// A generation's best: an arm of its own that runs as candidates do.
struct GenerationKernel {
  int generation = 0;
  Path file;
};

// The last kernel is the job's candidate, the others are timed as references of the same path, all
// in the same trials. `basis` is that of generation 0's run. Requires at least one kernel.
JobOrder cumulative_job(const JobBasis& basis, const std::vector<GenerationKernel>& kernels,
                        std::vector<std::uint64_t> seeds);

// Each generation against the original reference labelled `opponent`. For all but the last the
// quotient is formed trial by trial: log(reference / last) - log(generation / last). An error if
// the result lacks what that needs.
Result<std::vector<CumulativeRatio>> cumulative_ratios(const JobResult& result,
                                                       const std::vector<GenerationKernel>& kernels,
                                                       std::string_view opponent,
                                                       double machine_sd);

}  // namespace forge
