#include "bench/schedule.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

namespace forge {
namespace {

ShapeContents three_groups(int turns) {
  ShapeContents contents;
  contents.groups = 3;
  for (int i = 0; i < 3 * turns; ++i) contents.group_of.push_back(i % 3);
  return contents;
}

TEST(PairsFor, ShortIntervalsAreRepeatedUntilAnArmHasRunLongEnough) {
  EXPECT_EQ(pairs_for(1e6, 1e7, 3, 1, 96), 10);
  EXPECT_EQ(pairs_for(9e7, 1e7, 3, 1, 96), 3) << "one is long enough, but three are the least";
  EXPECT_EQ(pairs_for(1e5, 1e7, 3, 2, 96), 47) << "the warm-up needs contents too";
  EXPECT_EQ(pairs_for(1e5, 1e7, 3, 16, 96), 5);
  EXPECT_EQ(pairs_for(1e5, 1e7, 3, 96, 96), 3);
  EXPECT_EQ(pairs_for(0, 1e7, 3, 1, 96), 3) << "no time known";
}

TEST(CallsFor, ShortCallsAreTimedSeveralToAnInterval) {
  EXPECT_EQ(calls_for(1e6, 1e5, 16), 1);
  EXPECT_EQ(calls_for(1e5, 1e5, 16), 1);
  EXPECT_EQ(calls_for(4e4, 1e5, 16), 3);
  EXPECT_EQ(calls_for(10, 1e5, 16), 16);
  EXPECT_EQ(calls_for(0, 1e5, 16), 16) << "no time known";
}

TEST(FitSchedule, CallsGiveWayBeforePairsAndPairsBeforeNothing) {
  const ShapeSchedule wanted{3, 16, 1};
  EXPECT_EQ(fit_schedule(three_groups(4), wanted).calls, 3);
  EXPECT_EQ(fit_schedule(three_groups(4), wanted).pairs, 3);
  ShapeContents one;
  one.group_of = {0};
  const ShapeSchedule least = fit_schedule(one, wanted);
  EXPECT_EQ(least.pairs, 1);
  EXPECT_EQ(least.calls, 1);
  EXPECT_EQ(least.warmups, 0);
}

RC_GTEST_PROP(PlanTrial, NoContentComesTwiceAndEveryArmRunsEveryStep, ()) {
  const int turns = *rc::gen::inRange(1, 6);
  const int arms = *rc::gen::inRange(1, 5);
  const std::vector<ShapeContents> contents = {three_groups(turns), three_groups(turns + 1)};
  std::vector<ShapeSchedule> schedules;
  for (const ShapeContents& shape : contents) {
    schedules.push_back(fit_schedule(
        shape, {*rc::gen::inRange(1, 8), *rc::gen::inRange(1, 20), *rc::gen::inRange(0, 3)}));
  }
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::set<std::pair<int, int>> used;
  std::map<int, int> pairs;
  for (const Step& step : plan_trial(contents, schedules, arms, random)) {
    for (const Call& call : step.calls) {
      RC_ASSERT(call.shape == step.shape);
      RC_ASSERT(used.insert({call.shape, call.content}).second);
    }
    std::set<int> order(step.arm_order.begin(), step.arm_order.end());
    RC_ASSERT(order.size() == static_cast<std::size_t>(arms));
    RC_ASSERT(step.arm_order.size() == order.size());
    if (step.pair >= 0) ++pairs[step.shape];
  }
  RC_ASSERT(pairs[0] == schedules[0].pairs);
  RC_ASSERT(pairs[1] == schedules[1].pairs);
}

TEST(PlanTrial, GroupsTakeTurns) {
  Random random(7);
  const std::vector<ShapeContents> contents = {three_groups(2)};
  for (int round = 0; round < 20; ++round) {
    std::map<int, int> counted;
    for (const Step& step : plan_trial(contents, {{3, 1, 0}}, 2, random)) {
      ++counted[contents[0].group_of[static_cast<std::size_t>(step.calls[0].content)]];
    }
    EXPECT_EQ(counted.size(), 3u) << "three pairs take one content of each of three groups";
  }
}

TEST(PlanTrial, WarmUpsComeBeforeEveryPair) {
  Random random(3);
  const auto steps =
      plan_trial({three_groups(4), three_groups(4)}, {{3, 1, 1}, {3, 1, 1}}, 2, random);
  ASSERT_EQ(steps.size(), 8u);
  EXPECT_LT(steps[0].pair, 0);
  EXPECT_LT(steps[1].pair, 0);
  for (std::size_t i = 2; i < steps.size(); ++i) EXPECT_GE(steps[i].pair, 0);
}

}  // namespace
}  // namespace forge
