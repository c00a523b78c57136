// From call times to one value a trial: what the timing protocol and its simulation share. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/random.h"

namespace forge {

// log(opponent / candidate) for each pair; NaN where a time is not positive and finite. Requires
// equally many of both.
std::vector<double> to_log_ratios(std::span<const double> opponent_ns,
                                  std::span<const double> candidate_ns);

// One shape's value in one trial: the 20 % trimmed mean of its pairs. Fewer than 5 pairs are not
// trimmed: each then is a good part of the inputs, and what is slow on one input group must show.
double shape_value(std::span<const double> pair_log_ratios);

// A trial's value: the mean over shapes, so that its exponential is a geometric mean of ratios.
double trial_value(std::span<const double> shape_values);

// The order in which `arms` arms run in each of `rounds` rounds (a pair is a round of two). Random;
// of every `arms` rounds in a row from the start, each arm takes each place once, so that what
// drifts steadily hits all arms alike. Draw it for a whole trial, so that few rounds are left over.
std::vector<std::vector<std::size_t>> arm_orders(std::size_t rounds, std::size_t arms,
                                                 Random& random);

}  // namespace forge
