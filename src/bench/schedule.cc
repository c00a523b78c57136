#include "bench/schedule.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "stats/trial.h"

namespace forge {
namespace {

// All contents of a shape, groups taking turns, the order within a group random.
std::vector<int> contents_by_turns(const ShapeContents& contents, Random& random) {
  std::vector<std::vector<int>> by_group(static_cast<std::size_t>(contents.groups));
  for (std::size_t i = 0; i < contents.group_of.size(); ++i) {
    by_group[static_cast<std::size_t>(contents.group_of[i])].push_back(static_cast<int>(i));
  }
  for (auto& group : by_group) random.shuffle(group);
  random.shuffle(by_group);
  std::vector<int> order;
  for (std::size_t turn = 0; order.size() < contents.group_of.size(); ++turn) {
    for (const auto& group : by_group) {
      if (turn < group.size()) order.push_back(group[turn]);
    }
  }
  return order;
}

}  // namespace

ShapeSchedule fit_schedule(const ShapeContents& contents, ShapeSchedule wanted) {
  const int available = static_cast<int>(contents.group_of.size());
  FORGE_CHECK(available > 0);
  ShapeSchedule fitted;
  fitted.pairs = std::clamp(wanted.pairs, 1, available);
  fitted.warmups = std::clamp(wanted.warmups, 0, available - fitted.pairs);
  fitted.calls = std::clamp(wanted.calls, 1, available / (fitted.pairs + fitted.warmups));
  return fitted;
}

int calls_for(double call_ns, double min_interval_ns, int max_calls) {
  if (!(call_ns > 0)) return max_calls;
  const double wanted = std::ceil(min_interval_ns / call_ns);
  return static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(max_calls)));
}

int pairs_for(double interval_ns, double min_trial_ns, int least, int calls, int max_calls) {
  const int most = std::max(least, max_calls / std::max(calls, 1) - 1);
  if (!(interval_ns > 0)) return least;
  const double wanted = std::ceil(min_trial_ns / interval_ns);
  return static_cast<int>(
      std::clamp(wanted, static_cast<double>(least), static_cast<double>(most)));
}

std::vector<Step> plan_trial(const std::vector<ShapeContents>& contents,
                             const std::vector<ShapeSchedule>& schedules, int arms,
                             Random& random) {
  FORGE_CHECK(contents.size() == schedules.size());
  std::vector<Step> warmups;
  std::vector<Step> pairs;
  for (std::size_t shape = 0; shape < contents.size(); ++shape) {
    const ShapeSchedule& schedule = schedules[shape];
    const std::vector<int> order = contents_by_turns(contents[shape], random);
    std::size_t next = 0;
    for (int pair = -schedule.warmups; pair < schedule.pairs; ++pair) {
      Step step{static_cast<int>(shape), pair, {}, {}};
      for (int call = 0; call < schedule.calls; ++call) {
        FORGE_CHECK(next < order.size());
        step.calls.push_back({static_cast<int>(shape), order[next++]});
      }
      (pair < 0 ? warmups : pairs).push_back(std::move(step));
    }
  }
  random.shuffle(warmups);
  random.shuffle(pairs);
  warmups.insert(warmups.end(), pairs.begin(), pairs.end());
  // Balanced over the whole trial, so that what drifts steadily hits all arms alike.
  const auto orders = arm_orders(warmups.size(), static_cast<std::size_t>(arms), random);
  for (std::size_t i = 0; i < warmups.size(); ++i) {
    warmups[i].arm_order.assign(orders[i].begin(), orders[i].end());
  }
  return warmups;
}

}  // namespace forge
