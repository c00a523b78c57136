// Measures every legal point, and the best ones again: the truth that other searches are compared
// with. Pure. May know: base.
#pragma once

#include <cstddef>
#include <cstdint>

#include "search/observation.h"
#include "search/space.h"

namespace forge {

// The best `share` of all points get `trials` in all.
struct ExhaustiveStage {
  double share = 1;
  int trials = 1;
};
// The best of many noisy numbers is flattered; so the many are measured twice and the few often.
inline const std::vector<ExhaustiveStage> kExhaustiveStages = {
    {1, 2}, {0.25, 6}, {0.06, 24}, {0.03, 60}};

// At most `batch` points at once, of the first stage that is not done. Points with the same program
// are measured once. Done also if the space has more than `most` points.
SearchProposal propose_exhaustive(const Space& space, const std::vector<Observation>& observations,
                                  std::uint64_t seed, std::size_t batch,
                                  const std::vector<ExhaustiveStage>& stages = kExhaustiveStages,
                                  std::size_t most = 20'000);

}  // namespace forge
