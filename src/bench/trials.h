// The paired timing protocol: runs trials over arms and folds times into log ratios. May know:
// base, stats, bench. Method: docs/statistics.md.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "bench/arm.h"
#include "bench/schedule.h"

namespace forge {

// Nanoseconds a call, [shape][pair][arm].
using TrialTimes = std::vector<std::vector<std::vector<double>>>;

struct FaultOf {
  int arm = 0;
  ArmFault fault;
};
using TrialOutcome = std::variant<TrialTimes, FaultOf>;

struct TrialPlan {
  std::vector<ShapeContents> contents;
  std::vector<ShapeSchedule> schedules;
  CacheState cache = CacheState::kCold;
};

// Sets all arms up in random order, measures every step, verifies every output, tears all arms
// down, also after a fault. `arms` must not be empty.
TrialOutcome run_trial(const std::vector<Arm*>& arms, const TrialPlan& plan, Random& random);

// log(opponent / subject) of one trial: by shape, and over all shapes (their mean, so that the
// ratio is a geometric mean).
struct TrialContrast {
  std::vector<double> by_shape;
  double over_shapes = 0;
};
TrialContrast contrast(const TrialTimes& times, std::size_t subject, std::size_t opponent);

}  // namespace forge
