// Sweeps as jobs: what a search asks for, and what it is told. Pure. May know: delivery, search,
// worker/result.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "driver/job_specs.h"
#include "search/observation.h"
#include "worker/result.h"

namespace forge {

// Candidates of one sweep job, so that what they share in each trial is spread thin.
inline constexpr std::size_t kMostSweepCandidates = 15;

struct SweepOrder {
  Path kernel;                                // of all arms
  std::map<std::string, std::string> origin;  // what the others are timed beside
  std::vector<SearchRequest> requests;        // at most kMostSweepCandidates
  std::vector<std::string> known_artefacts;
};
JobOrder sweep_job(const JobBasis& basis, int number, const SweepOrder& sweep,
                   std::vector<std::uint64_t> seeds);

// One for each request that the job said something about. An error if its origin was not right:
// what became of it.
Result<std::vector<Observation>> observations_of(const SweepResult& result, int job,
                                                 const std::vector<SearchRequest>& requests);

// Artefacts of what was timed or failed before, but for those that are asked for again.
std::vector<std::string> known_artefacts(const std::vector<Observation>& observations,
                                         const std::vector<SearchRequest>& requests);

}  // namespace forge
