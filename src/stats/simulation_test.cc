// The promises of docs/statistics.md under every kind of noise, by simulation. Seeds are fixed, so
// the outcome is too; the bounds leave room for the simulation's own chance (1 in 1000).
#include "stats/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::simulation {
namespace {

constexpr int kRepetitions = 2000;

class UnderNoise : public testing::TestWithParam<NoiseModel> {
 protected:
  static Tally tally(double true_ratio) {
    return tally_looks(GetParam(), Protocol{}, true_ratio, kRepetitions);
  }
};

TEST_P(UnderNoise, AnArmAgainstItselfIsCalledDifferentAtMostOnceInAHundred) {
  const Tally result = tally(1.0);
  EXPECT_LE(result.faster + result.slower, binomial_bound(kRepetitions, 0.01));
}

TEST_P(UnderNoise, AFivePercentDifferenceIsGivenTheWrongSignAtMostOnceInAHundred) {
  EXPECT_LE(tally(1.05).slower, binomial_bound(kRepetitions, 0.01));
  EXPECT_LE(tally(0.95).faster, binomial_bound(kRepetitions, 0.01));
}

TEST_P(UnderNoise, AThreePercentDifferenceIsCalledSameAtMostOnceInAHundred) {
  EXPECT_LE(tally(1.03).same, binomial_bound(kRepetitions, 0.01));
  EXPECT_LE(tally(0.97).same, binomial_bound(kRepetitions, 0.01));
}

TEST_P(UnderNoise, IntervalsMissTheTruthNoOftenerThanTheyState) {
  EXPECT_LE(count_misses(GetParam(), Protocol{}, 1.2, 0.01, kRepetitions),
            binomial_bound(kRepetitions, 0.01));
  EXPECT_LE(count_misses(GetParam(), Protocol{}, 1.2, 0.05, kRepetitions),
            binomial_bound(kRepetitions, 0.05));
}

INSTANTIATE_TEST_SUITE_P(AllModels, UnderNoise, testing::ValuesIn(noise_models()),
                         [](const auto& instance) {
                           std::string name;
                           for (char c : instance.param.name) name += std::isalnum(c) ? c : '_';
                           return name;
                         });

TEST(Power, AFivePercentDifferenceIsFoundOnAQuietMachineAtTheFirstLookMostly) {
  const Tally result = tally_looks(noise_models().front(), Protocol{}, 1.05, kRepetitions);
  EXPECT_GE(result.faster, kRepetitions * 99 / 100);
  EXPECT_LE(result.trials, 7);
}

TEST(Power, IdenticalArmsAreCalledSameOnAQuietMachineMostly) {
  const Tally result = tally_looks(noise_models().front(), Protocol{}, 1.0, kRepetitions);
  EXPECT_GE(result.same, kRepetitions * 9 / 10);
}

TEST(Power, IntervalsOnWhiteNoiseAreNoWiderThanTheyNeedToBe) {
  const int misses = count_misses(noise_models().front(), Protocol{}, 1.2, 0.05, kRepetitions);
  EXPECT_GE(misses, kRepetitions * 4 / 100);
}

TEST(Power, ThrottlingThatOneArmFeelsMoreDoesNotTurnTheSign) {
  const NoiseModel uneven = {.name = "uneven", .step = 0.35, .step_felt_by_candidate = 1.1};
  const Tally result = tally_looks(uneven, Protocol{}, 1.05, kRepetitions);
  EXPECT_LE(result.slower, binomial_bound(kRepetitions, 0.01));
}

TEST(BinomialBound, MatchesTheTailOfTheDistribution) {
  // P(X > 8) for 100 draws at 1 % is 9e-7, P(X > 5) 5.3e-4, P(X > 4) 3.4e-3.
  EXPECT_EQ(binomial_bound(100, 0.01), 5);
  EXPECT_EQ(binomial_bound(1, 0.5), 1);
}

}  // namespace
}  // namespace forge::simulation
