#include "stats/interval.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace forge {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct KnownQuantile {
  double dof;
  double p;
  double t;
};

// Computed with 40 digits by bisection on the incomplete beta function.
constexpr KnownQuantile kKnown[] = {
    {0.5, 0.75, 1.55377397403},      {0.5, 0.9985, 45710.718055222}, {1, 0.75, 1.0},
    {1, 0.975, 12.706204736175},     {1, 0.9985, 212.20501999054},   {2, 0.975, 4.3026527297495},
    {2, 0.998, 15.76391455204},      {2.5, 0.9985, 11.729892567406}, {3, 0.995, 5.8409093097334},
    {5, 0.5001, 2.6343055607021e-4}, {5, 0.975, 2.5705818356363},    {5, 0.9985, 5.3760254771965},
    {5, 0.999999, 24.771029720516},  {11, 0.9985, 3.7889823828484},  {11, 0.995, 3.1058065155393},
    {23, 0.75, 0.6853062780613},     {23, 0.998, 3.1977625468657},   {99, 0.995, 2.6264054572808},
    {1000, 0.9985, 2.9750308919458}, {1e6, 0.995, 2.5758342201053},
};

TEST(StudentT, QuantilesMatchKnownValues) {
  for (const KnownQuantile& known : kKnown) {
    EXPECT_NEAR(student_t_quantile(known.p, known.dof) / known.t, 1, 1e-9)
        << "p " << known.p << ", dof " << known.dof;
  }
}

TEST(StudentT, QuantilesAreSymmetricAndTheMedianIsZero) {
  EXPECT_EQ(student_t_quantile(0.5, 7), 0);
  EXPECT_DOUBLE_EQ(student_t_quantile(0.25, 7), -student_t_quantile(0.75, 7));
}

TEST(StudentT, OneDegreeIsTheCauchyDistribution) {
  const bool holds = rc::check("tan(pi (p - 1/2))", [] {
    const double p = *rc::gen::inRange(1, 999'999) / 1e6;
    const double expected = std::tan(std::numbers::pi * (p - 0.5));
    RC_ASSERT(std::abs(student_t_quantile(p, 1) - expected) <= 1e-9 * (1 + std::abs(expected)));
  });
  EXPECT_TRUE(holds);
}

TEST(StudentT, TwoDegreesHaveAClosedForm) {
  const bool holds = rc::check("(2p - 1) / sqrt(2 p (1 - p))", [] {
    const double p = *rc::gen::inRange(1, 999'999) / 1e6;
    const double expected = (2 * p - 1) / std::sqrt(2 * p * (1 - p));
    RC_ASSERT(std::abs(student_t_quantile(p, 2) - expected) <= 1e-9 * (1 + std::abs(expected)));
  });
  EXPECT_TRUE(holds);
}

TEST(StudentT, ManyDegreesApproachTheNormalDistribution) {
  EXPECT_NEAR(student_t_quantile(0.995, 1e300), 2.5758293035489, 1e-6);
}

TEST(StudentT, OutsideItsDomainThereIsNoQuantile) {
  EXPECT_TRUE(std::isnan(student_t_quantile(0, 5)));
  EXPECT_TRUE(std::isnan(student_t_quantile(1, 5)));
  EXPECT_TRUE(std::isnan(student_t_quantile(kNaN, 5)));
  EXPECT_TRUE(std::isnan(student_t_quantile(0.9, 0)));
  EXPECT_TRUE(std::isnan(student_t_quantile(0.9, kNaN)));
}

TEST(TrimmedMean, DropsAsManyFromEachEndAsTheFractionGivesRoundedDown) {
  EXPECT_DOUBLE_EQ(trimmed_mean(std::vector<double>{100, 1, 2, 3, -50}, 0.2), 2);
  EXPECT_DOUBLE_EQ(trimmed_mean(std::vector<double>{100, 1, 2, 1}, 0.2), 26);
}

TEST(TrimmedMean, AQuarterLeavesTheMeanBetweenTheQuartiles) {
  EXPECT_DOUBLE_EQ(trimmed_mean(std::vector<double>{8, 1, 7, 2, 6, 3, 5, 4}, 0.25), 4.5);
  EXPECT_DOUBLE_EQ(trimmed_mean(std::vector<double>{900, -9, 3, 4, 5, 6, -8, 800}, 0.25), 4.5);
}

TEST(TrimmedMean, DuplicatesCountEach) {
  EXPECT_DOUBLE_EQ(trimmed_mean(std::vector<double>{7, 7, 7, 7, 7}, 0.2), 7);
  EXPECT_DOUBLE_EQ(trimmed_mean(std::vector<double>{1, 1, 1, 4, 4}, 0.2), 2);
}

TEST(TrimmedMean, NothingAndNaNGiveNaN) {
  EXPECT_TRUE(std::isnan(trimmed_mean({}, 0.2)));
  EXPECT_TRUE(std::isnan(trimmed_mean(std::vector<double>{1, 2, kNaN, 4, 5}, 0.2)));
}

TEST(TrimmedMean, DropsInfinitiesAtTheEnds) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(trimmed_mean(std::vector<double>{infinity, 1, 2, 3, -infinity}, 0.2), 2);
}

TEST(Median, OfOddAndEvenCountsOfDuplicatesAndOfNothing) {
  EXPECT_DOUBLE_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{2, 2, 2, 9}), 2);
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_TRUE(std::isnan(median(std::vector<double>{1, kNaN})));
}

TEST(SampleSd, DividesByOneLessThanTheCount) {
  EXPECT_DOUBLE_EQ(sample_sd(std::vector<double>{1, 3}), std::sqrt(2.0));
}

TEST(SampleSd, IsZeroForFewerThanTwoValuesAndForDuplicates) {
  EXPECT_EQ(sample_sd({}), 0);
  EXPECT_EQ(sample_sd(std::vector<double>{5}), 0);
  EXPECT_EQ(sample_sd(std::vector<double>{5, 5, 5}), 0);
}

TEST(Mean, OfNothingIsNaN) { EXPECT_TRUE(std::isnan(mean({}))); }

TEST(StudentTInterval, MatchesTheTextbookFormula) {
  // mean 3, sd sqrt(2.5), t(0.975, 4) = 2.7764451051978
  const Interval interval = student_t_interval(std::vector<double>{1, 2, 3, 4, 5}, 0.05, 0);
  EXPECT_DOUBLE_EQ(interval.point, 3);
  EXPECT_NEAR(interval.high - 3, 2.7764451051978 * std::sqrt(2.5 / 5), 1e-9);
  EXPECT_NEAR(3 - interval.low, interval.high - 3, 1e-12);
}

TEST(StudentTInterval, AMinimumSpreadWidensAndNeverNarrows) {
  const bool holds = rc::check("contains the plain interval", [] {
    const auto integers = *rc::gen::container<std::vector<int>>(8, rc::gen::inRange(-100, 100));
    const std::vector<double> trials(integers.begin(), integers.end());
    const double minimum = *rc::gen::inRange(0, 200);
    const Interval plain = student_t_interval(trials, 0.01, 0);
    const Interval widened = student_t_interval(trials, 0.01, minimum);
    RC_ASSERT(widened.low <= plain.low && plain.high <= widened.high);
    RC_ASSERT(widened.point == plain.point);
  });
  EXPECT_TRUE(holds);
}

TEST(StudentTInterval, NaNInTrialsOrSpreadReachesTheEnds) {
  EXPECT_TRUE(std::isnan(student_t_interval(std::vector<double>{1, kNaN}, 0.05, 1).low));
  EXPECT_TRUE(std::isnan(student_t_interval(std::vector<double>{1, 2}, 0.05, kNaN).high));
}

TEST(StudentTIntervalDeathTest, OneTrialIsABrokenContract) {
  EXPECT_DEATH(student_t_interval(std::vector<double>{1}, 0.05, 0), "trials.size\\(\\) >= 2");
}

TEST(Exponentiate, TurnsLogRatiosIntoRatios) {
  const Interval ratio = exponentiate({0, std::log(0.5), std::log(2.0)});
  EXPECT_DOUBLE_EQ(ratio.point, 1);
  EXPECT_DOUBLE_EQ(ratio.low, 0.5);
  EXPECT_DOUBLE_EQ(ratio.high, 2);
}

}  // namespace
}  // namespace forge
