// Whether two input groups are different at all: two-sample tests on what their inputs look like.
// Pure. May know: base, mutants.h, admission.h.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "judge/admission.h"

namespace forge {

// Samples of some features of one group's inputs, each sorted. Groups of one shape have the same
// features in the same order, unless `settings` differ.
struct GroupFeatures {
  std::string settings;  // scalars, and which inputs are left out
  std::vector<std::vector<double>> samples;
};

// Values, differences between neighbours in a row and between rows, and of each row its largest and
// its mean magnitude, where the largest lies, and how many values differ. `cases`: the inputs of
// several seeds, in one order.
GroupFeatures features_of(const std::vector<std::vector<Source>>& cases, std::string settings,
                          Random& random);

// kAlike: no feature's Kolmogorov–Smirnov distance is significant. kUnknown: some input is too
// small to tell.
Likeness likeness_of(const GroupFeatures& a, const GroupFeatures& b);

}  // namespace forge
