#include "stats/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <set>

namespace forge {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ToLogRatios, IsPositiveWhereTheCandidateIsFaster) {
  const auto ratios = to_log_ratios(std::vector<double>{200, 50}, std::vector<double>{100, 100});
  ASSERT_EQ(ratios.size(), 2u);
  EXPECT_DOUBLE_EQ(ratios[0], std::log(2.0));
  EXPECT_DOUBLE_EQ(ratios[1], -std::log(2.0));
}

TEST(ToLogRatios, TimesThatAreNoTimesGiveNaN) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto ratios = to_log_ratios(std::vector<double>{0, 100, -5, infinity, kNaN},
                                    std::vector<double>{100, 0, 100, 100, 100});
  for (double ratio : ratios) EXPECT_TRUE(std::isnan(ratio));
}

TEST(ShapeValue, AFifthIsTrimmedAtEachEndFromFivePairsOn) {
  EXPECT_DOUBLE_EQ(shape_value(std::vector<double>{0.1, 0.2, 0.3, 9, -9}), 0.2);
}

TEST(ShapeValue, NothingIsTrimmedFromThreePairsSoThatOneSlowGroupShows) {
  EXPECT_DOUBLE_EQ(shape_value(std::vector<double>{0.1, 0.1, -1.1}), -0.3);
}

TEST(TrialValue, IsTheGeometricMeanOfRatiosOverShapes) {
  const double value = trial_value(std::vector<double>{std::log(2.0), std::log(8.0)});
  EXPECT_DOUBLE_EQ(std::exp(value), 4);
}

TEST(TrialValue, AShapeWithoutValueLeavesTheTrialWithoutOne) {
  EXPECT_TRUE(std::isnan(trial_value(std::vector<double>{0.1, kNaN})));
}

TEST(ArmOrders, EachArmTakesEachPlaceOnceInEveryFullBlock) {
  const bool holds = rc::check("balanced", [] {
    const auto arms = *rc::gen::inRange<std::size_t>(1, 5);
    const auto rounds = *rc::gen::inRange<std::size_t>(0, 30);
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    const auto orders = arm_orders(rounds, arms, random);
    RC_ASSERT(orders.size() == rounds);
    std::vector<std::set<std::size_t>> taken(arms);  // by place, in this block
    for (std::size_t round = 0; round < rounds; ++round) {
      if (round % arms == 0) taken.assign(arms, {});
      RC_ASSERT(std::set<std::size_t>(orders[round].begin(), orders[round].end()).size() == arms);
      for (std::size_t place = 0; place < arms; ++place) {
        RC_ASSERT(orders[round][place] < arms);
        RC_ASSERT(taken[place].insert(orders[round][place]).second);
      }
    }
  });
  EXPECT_TRUE(holds);
}

TEST(ArmOrders, EveryOrderOfThreeArmsComesFirstSometimes) {
  Random random(7);
  std::set<std::vector<std::size_t>> seen;
  for (int i = 0; i < 200; ++i) seen.insert(arm_orders(1, 3, random).front());
  EXPECT_EQ(seen.size(), 6u);
}

TEST(ArmOrders, NoArmsGiveEmptyRounds) {
  Random random(7);
  EXPECT_THAT(arm_orders(2, 0, random),
              testing::ElementsAre(testing::IsEmpty(), testing::IsEmpty()));
}

}  // namespace
}  // namespace forge
