#include "bench/trials.h"

#include <cmath>

#include "base/error.h"
#include "stats/trial.h"

namespace forge {
namespace {

std::vector<int> random_order(std::size_t count, Random& random) {
  std::vector<int> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<int>(i);
  random.shuffle(order);
  return order;
}

// Tears every arm down when a trial ends, however it ends.
class TearDown {
 public:
  explicit TearDown(const std::vector<Arm*>& arms) : arms_(arms) {}
  ~TearDown() {
    for (Arm* arm : arms_) arm->tear_down();
  }
  TearDown(const TearDown&) = delete;
  TearDown& operator=(const TearDown&) = delete;

 private:
  const std::vector<Arm*>& arms_;
};

// All arms of one step: prepare all, measure back to back, then verify all.
std::optional<FaultOf> run_step(const std::vector<Arm*>& arms, const Step& step, CacheState cache,
                                Random& random, TrialTimes& times) {
  for (const int arm : step.arm_order) {
    if (auto fault = arms[static_cast<std::size_t>(arm)]->prepare(step.calls, cache, random)) {
      return FaultOf{arm, *fault};
    }
  }
  for (const int arm : step.arm_order) {
    const MeasureOutcome outcome = arms[static_cast<std::size_t>(arm)]->measure();
    if (const auto* fault = std::get_if<ArmFault>(&outcome)) return FaultOf{arm, *fault};
    if (step.pair < 0) continue;
    times[static_cast<std::size_t>(step.shape)][static_cast<std::size_t>(step.pair)]
         [static_cast<std::size_t>(arm)] =
             std::get<Nanoseconds>(outcome).value / static_cast<double>(step.calls.size());
  }
  for (const int arm : step.arm_order) {
    if (auto fault = arms[static_cast<std::size_t>(arm)]->verify()) return FaultOf{arm, *fault};
  }
  return std::nullopt;
}

}  // namespace

std::string_view cache_name(CacheState cache) {
  return cache == CacheState::kCold ? "cold" : "warm";
}

TrialOutcome run_trial(const std::vector<Arm*>& arms, const TrialPlan& plan, Random& random) {
  FORGE_CHECK(!arms.empty());
  TearDown tear_down(arms);
  for (const int arm : random_order(arms.size(), random)) {
    if (auto fault = arms[static_cast<std::size_t>(arm)]->set_up(random)) {
      return FaultOf{arm, *fault};
    }
  }
  TrialTimes times;
  for (const ShapeSchedule& schedule : plan.schedules) {
    times.emplace_back(static_cast<std::size_t>(schedule.pairs),
                       std::vector<double>(arms.size(), 0.0));
  }
  for (const Step& step :
       plan_trial(plan.contents, plan.schedules, static_cast<int>(arms.size()), random)) {
    if (auto fault = run_step(arms, step, plan.cache, random, times)) return *fault;
  }
  return times;
}

TrialContrast contrast(const TrialTimes& times, std::size_t subject, std::size_t opponent) {
  TrialContrast result;
  for (const auto& pairs : times) {
    std::vector<double> logs;
    for (const auto& pair : pairs) logs.push_back(std::log(pair[opponent] / pair[subject]));
    result.by_shape.push_back(shape_value(logs));
  }
  result.over_shapes = trial_value(result.by_shape);
  return result;
}

}  // namespace forge
