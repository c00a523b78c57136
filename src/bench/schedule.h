// What one trial measures, in which order. Pure. May know: base, bench/arm.h.
#pragma once

#include <cstddef>
#include <vector>

#include "base/random.h"
#include "bench/arm.h"

namespace forge {

// The contents of one shape: which input group each of them is of.
struct ShapeContents {
  std::vector<int> group_of;  // content -> group
  int groups = 1;
};

struct ShapeSchedule {
  int pairs = 3;  // intervals of each arm in a trial
  int calls = 1;  // of one interval, each on its own content
  // Intervals before the first pair, verified and not counted: they pay for what a fresh process
  // does once (page faults of its code, thread pools, a library's caches by shape).
  int warmups = 1;
};

// One step: every arm runs these calls, back to back, in a random order.
struct Step {
  int shape = 0;
  int pair = 0;  // negative: a warm-up
  std::vector<Call> calls;
  std::vector<int> arm_order;
};

// As many pairs and calls as were asked for, as far as distinct contents reach: calls are reduced
// first, then pairs, then warm-ups; at least one pair of one call. Requires a content.
ShapeSchedule fit_schedule(const ShapeContents& contents, ShapeSchedule wanted);

// Calls an interval needs to last `min_interval_ns`, at most `max_calls`.
int calls_for(double call_ns, double min_interval_ns, int max_calls);

// Pairs that a trial needs for an arm to run `min_trial_ns` in intervals of `interval_ns`: at least
// `least`, and no more than `max_calls` calls allow, a warm-up included.
int pairs_for(double interval_ns, double min_trial_ns, int least, int calls, int max_calls);

// A trial: warm-ups first, then shapes interleaved in random order; within a shape input groups
// take turns and no content comes twice.
std::vector<Step> plan_trial(const std::vector<ShapeContents>& contents,
                             const std::vector<ShapeSchedule>& schedules, int arms, Random& random);

}  // namespace forge
