// The search: which configurations of a kernel to measure next, how often, and when to stop. Pure:
// it is given all observations and nothing else, so that equal observations and seeds give equal
// proposals, whoever asks and however often. May know: base. Method and sources: docs/search.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/observation.h"
#include "search/space.h"

namespace forge {

struct SearchPlan {
  std::uint64_t seed = 1;
  // Configurations measured in one job: compiled and timed together.
  std::size_t batch = 4;
  int measurements_left = 1'000'000;
  // Ends when, of log time, less than this is expected to be lost to what is more than 1 % faster.
  double least_gain = 0.0002;
  // Points that were good elsewhere, tried first.
  std::vector<Point> hints;
};

// Done when the budget is spent, every point is known, or nothing is expected to be gained: `done`
// says which.
SearchProposal propose_search(const Space& space, const std::vector<Observation>& observations,
                              const SearchPlan& plan);

// The right point that is believed to be the fastest, of those that were measured; the start unless
// another one is.
struct Recommendation {
  Point point;
  double log_gain = 0;  // log(start's time / its time), as believed
  double sd = 0;        // of log_gain
  int trials = 0;
};
Recommendation recommend(const Space& space, const std::vector<Observation>& observations);

// What a parameter is worth, by ablation: from the best point on, what is lost by the worst of its
// values and what is gained by the best one, as believed. Measured neighbours count as they are.
struct Price {
  std::string parameter;
  double loss = 0;      // log(time with the worst value / time of the best point), at least 0
  double headroom = 0;  // log(time of the best point / time with the best value), at least 0
  int measured = 0;     // of its other values, how many were measured beside the best point's
};
std::vector<Price> prices(const Space& space, const std::vector<Observation>& observations);

}  // namespace forge
