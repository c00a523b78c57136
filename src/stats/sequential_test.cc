#include "stats/sequential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace forge {
namespace {

using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// `count` trials about log(ratio), alternating `spread` above and below.
std::vector<double> trials_about(double ratio, double spread, int count) {
  std::vector<double> trials;
  for (int i = 0; i < count; ++i) trials.push_back(std::log(ratio) + (i % 2 ? spread : -spread));
  return trials;
}

Decided decided(const LookDecision& decision) {
  EXPECT_TRUE(std::holds_alternative<Decided>(decision));
  return std::get<Decided>(decision);
}

TEST(Look, BeforeAndBetweenLooksItKeepsMeasuring) {
  for (int count : {0, 1, 5}) {
    const auto decision = look({}, trials_about(1.5, 0.001, count), 0);
    EXPECT_EQ(std::get<KeepMeasuring>(decision).next_look, 6) << count;
  }
  EXPECT_EQ(std::get<KeepMeasuring>(look({}, trials_about(1.5, 0.001, 13), 0)).next_look, 24);
}

TEST(Look, AClearDifferenceIsDecidedAtTheFirstLook) {
  const Decided faster = decided(look({}, trials_about(1.10, 0.01, 6), 0));
  EXPECT_EQ(faster.comparison, Comparison::kFaster);
  EXPECT_EQ(faster.trials, 6);
  EXPECT_NEAR(faster.ratio.point, 1.10, 1e-12);
  EXPECT_GT(faster.ratio.low, 1);
  EXPECT_EQ(decided(look({}, trials_about(0.90, 0.01, 6), 0)).comparison, Comparison::kSlower);
}

TEST(Look, ANearlyClearDifferenceGoesToTheNextLook) {
  const auto first = look({}, trials_about(1.02, 0.01, 6), 0);
  EXPECT_EQ(std::get<KeepMeasuring>(first).next_look, 12);
  EXPECT_EQ(decided(look({}, trials_about(1.02, 0.01, 12), 0)).comparison, Comparison::kFaster);
}

TEST(Look, AnIntervalInsideTheMarginIsSameEvenIfItExcludesOne) {
  EXPECT_EQ(decided(look({}, trials_about(1.0, 0.002, 6), 0)).comparison, Comparison::kSame);
  EXPECT_EQ(decided(look({}, trials_about(1.005, 0.0001, 6), 0)).comparison, Comparison::kSame);
}

TEST(Look, TheMarginIsARatioAndNotALogRatio) {
  // log(0.98999) is inside -log(1.01...) but outside ratio 0.99.
  EXPECT_EQ(decided(look({}, trials_about(0.9901, 0, 6), 0)).comparison, Comparison::kSame);
  EXPECT_EQ(decided(look({}, trials_about(0.9899, 0, 6), 0)).comparison, Comparison::kSlower);
  EXPECT_EQ(decided(look({}, trials_about(1.0101, 0, 6), 0)).comparison, Comparison::kFaster);
}

TEST(Look, HopelessSpreadGivesUpAtTheFirstLookAndNamesSpreadAndNeededTrials) {
  const Decided given_up = decided(look({}, trials_about(1.0, 0.3, 6), 0));
  EXPECT_EQ(given_up.comparison, Comparison::kNoVerdict);
  EXPECT_EQ(given_up.trials, 6);
  EXPECT_THAT(given_up.reason, HasSubstr("a spread of 38.9 % a trial"));
  EXPECT_THAT(given_up.reason, HasSubstr("would need about"));
  EXPECT_THAT(given_up.reason, HasSubstr("more than the 24 of the last look"));
}

TEST(Look, ASpreadThatTheLastLookCouldStillOvercomeIsMeasuredOn) {
  // The last look resolves about 0.65 of the spread.
  const auto decision = look({}, trials_about(1.10, 0.12, 6), 0);
  EXPECT_EQ(std::get<KeepMeasuring>(decision).next_look, 12);
  // So is a spread that would still do for 'same'.
  const auto nearly_same = look({}, trials_about(1.0, 0.012, 6), 0);
  EXPECT_EQ(std::get<KeepMeasuring>(nearly_same).next_look, 12);
}

TEST(Look, TheLastLookEndsWithAReason) {
  const Decided last = decided(look({}, trials_about(1.02, 0.1, 24), 0));
  EXPECT_EQ(last.comparison, Comparison::kNoVerdict);
  EXPECT_EQ(last.trials, 24);
  EXPECT_THAT(last.reason, HasSubstr("after 24 trials the interval"));
}

TEST(Look, MoreTrialsThanTheLastLookAreDecidedLikeIt) {
  EXPECT_EQ(decided(look({}, trials_about(1.1, 0.1, 40), 0)).trials, 40);
}

TEST(Look, TheMachinesOwnSpreadTakesBackWhatQuietTrialsClaim) {
  const std::vector<double> quiet = trials_about(1.03, 0.001, 6);
  EXPECT_EQ(decided(look({}, quiet, 0)).comparison, Comparison::kFaster);
  EXPECT_TRUE(std::holds_alternative<KeepMeasuring>(look({}, quiet, 0.02)));
  const Decided hopeless = decided(look({}, quiet, 0.5));
  EXPECT_EQ(hopeless.comparison, Comparison::kNoVerdict);
  EXPECT_THAT(hopeless.reason, HasSubstr("the machine's own spread of"));
}

TEST(Look, AMissingRatioIsNoVerdictThatNamesTheTrial) {
  std::vector<double> trials = trials_about(1.5, 0.001, 6);
  trials[3] = kNaN;
  const Decided missing = decided(look({}, trials, 0));
  EXPECT_EQ(missing.comparison, Comparison::kNoVerdict);
  EXPECT_THAT(missing.reason, HasSubstr("trial 4 of 6"));
  trials[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(decided(look({}, trials, 0)).comparison, Comparison::kNoVerdict);
  EXPECT_EQ(decided(look({}, trials_about(1.5, 0.001, 6), kNaN)).comparison,
            Comparison::kNoVerdict);
}

TEST(Look, IdenticalTrialsHaveAnIntervalOfNoWidth) {
  const Decided same = decided(look({}, std::vector<double>(6, std::log(1.2)), 0));
  EXPECT_EQ(same.comparison, Comparison::kFaster);
  EXPECT_DOUBLE_EQ(same.ratio.low, same.ratio.high);
}

TEST(LookPlanFault, TheDefaultSpendsAtMostOnePercent) {
  const LookPlan plan;
  EXPECT_EQ(fault_of(plan), std::nullopt);
  double spent = 0;
  for (double alpha : plan.alpha) spent += alpha;
  EXPECT_LE(spent, 0.01 + 1e-12);
}

TEST(LookPlanFault, NamesWhatIsWrong) {
  EXPECT_THAT(fault_of({.looks = {}, .alpha = {}}).value(), HasSubstr("at least one look"));
  EXPECT_THAT(fault_of({.looks = {6, 12}, .alpha = {0.01}}).value(), HasSubstr("2 looks"));
  EXPECT_THAT(fault_of({.looks = {6, 6}, .alpha = {0.01, 0.01}}).value(), HasSubstr("ascend"));
  EXPECT_THAT(fault_of({.looks = {1}, .alpha = {0.01}}).value(), HasSubstr("at least 2"));
  EXPECT_THAT(fault_of({.looks = {6}, .alpha = {0.0}}).value(), HasSubstr("alpha 0"));
  EXPECT_THAT(fault_of({.looks = {6}, .alpha = {0.01}, .same_margin = kNaN}).value(),
              HasSubstr("margin"));
}

TEST(Conclude, DecidesAtAnyNumberOfTrialsFromTwo) {
  EXPECT_EQ(conclude(trials_about(2.0, 0.01, 12), 0.01, 0, 0.01).comparison, Comparison::kFaster);
  EXPECT_EQ(conclude(trials_about(2.0, 0.0001, 2), 0.01, 0, 0.01).comparison, Comparison::kFaster);
}

TEST(Conclude, FewerThanTwoTrialsGiveNoVerdictAndNoEstimate) {
  for (int count : {0, 1}) {
    const Decided none = conclude(trials_about(2.0, 0, count), 0.01, 0, 0.01);
    EXPECT_EQ(none.comparison, Comparison::kNoVerdict);
    EXPECT_EQ(none.ratio.point, 0);
    EXPECT_THAT(none.reason, HasSubstr("2 are the least"));
  }
}

TEST(Conclude, TheNeededTrialsWouldIndeedDecide) {
  const Decided undecided = conclude(trials_about(1.03, 0.1, 12), 0.01, 0, 0.01);
  ASSERT_EQ(undecided.comparison, Comparison::kNoVerdict);
  // z² (0.1 / log 1.03)² is 76; Student's t asks for a few more.
  EXPECT_THAT(undecided.reason, testing::ContainsRegex("would need about 8[0-9] trials"));
  EXPECT_EQ(conclude(trials_about(1.03, 0.1, 90), 0.01, 0, 0.01).comparison, Comparison::kFaster);
}

TEST(ComparisonName, RoundTripsAndRefusesOthers) {
  for (auto value :
       {Comparison::kFaster, Comparison::kSlower, Comparison::kSame, Comparison::kNoVerdict}) {
    EXPECT_EQ(parse_comparison(comparison_name(value)), value);
  }
  EXPECT_EQ(parse_comparison("quicker"), std::nullopt);
}

}  // namespace
}  // namespace forge
