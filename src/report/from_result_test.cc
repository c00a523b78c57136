#include "report/from_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

JobResult confirmed_job() {
  JudgeResult judged;
  judged.outcome = Passed{};
  judged.checked_cases = 6;
  judged.timed_calls = 100;
  Contrast cold;
  cold.opponent = "reference";
  cold.comparison = Comparison::kFaster;
  cold.ratio = {3, 2.9, 3.1};
  cold.trials = 12;
  cold.shapes = {{"large", {3, 2.9, 3.1}}, {"secret", {2, 1.9, 2.1}}};
  Contrast warm = cold;
  warm.cache = "warm";
  warm.shapes = {{"large", {2, 1.9, 2.1}}};
  Contrast other = cold;
  other.opponent = "reference-1";
  judged.contrasts = {other, cold, warm};
  judged.monitor.stresses = {{"candidate", Stress::kScaledUp, 3, 1, "y[0] of large"},
                             {"reference", Stress::kScaledUp, 3, 3, ""},
                             {"reference-1", Stress::kScaledUp, 3, 2, ""},
                             {"candidate", Stress::kNan, 0, 0, "no memory"}};
  judged.monitor.repeats = {{"candidate", 6, 6}, {"reference", 6, 5}};
  judged.monitor.notes = {"a note"};
  JobResult result;
  result.id = "0042";
  result.body = judged;
  result.machine.arm_cpus = {1, 2, 3, 6};
  result.arms = {{"candidate", "g++", {}, ""},
                 {"reference", "PyTorch 1.13.0", {}, ""},
                 {"reference-1", "oneDNN 2.6", {}, ""}};
  result.times = {{"candidate", "large", 1e6, "cold"},
                  {"candidate", "large", 5e5, "warm"},
                  {"reference", "large", 3e6, "cold"}};
  result.ceilings = {{"large", 1e6, 8e5}};
  return result;
}

TEST(ReportFromResult, TakesTheColdComparisonWithTheOpponentToBeat) {
  const auto confirmation = confirmation_of(confirmed_job(), "reference", {"secret"});
  ASSERT_TRUE(confirmation) << confirmation.error().message();
  EXPECT_EQ(confirmation->overall.ratio.point, 3);
  EXPECT_EQ(confirmation->overall.cache, "cold");
  EXPECT_EQ(confirmation->others.size(), 2u);
  ASSERT_EQ(confirmation->shapes.size(), 2u);
  EXPECT_FALSE(confirmation->shapes[0].hidden);
  EXPECT_TRUE(confirmation->shapes[1].hidden);
  const ReportShape& shape = confirmation->shapes[0];
  EXPECT_EQ(shape.reference_ns, 3e6);
  EXPECT_EQ(shape.best_ns, 1e6);
  ASSERT_TRUE(shape.warm.has_value());
  EXPECT_EQ(shape.warm->point, 2);
  ASSERT_TRUE(shape.copy_fraction.has_value());
  EXPECT_DOUBLE_EQ(*shape.copy_fraction, 0.8);
}

TEST(ReportFromResult, TheMonitorSetsTheBestBesideTheReferenceToBeat) {
  const auto confirmation = confirmation_of(confirmed_job(), "reference", {"secret"});
  ASSERT_TRUE(confirmation) << confirmation.error().message();
  ASSERT_EQ(confirmation->monitor.size(), 3u);
  const ReportMonitorRow& scaled = confirmation->monitor[0];
  EXPECT_EQ(scaled.inputs, "scaled up");
  EXPECT_EQ(scaled.best, "1 of 3 right (y[0] of large)");
  EXPECT_EQ(scaled.reference, "3 of 3 right");
  EXPECT_TRUE(scaled.best_departs);
  EXPECT_FALSE(scaled.reference_departs);
  EXPECT_EQ(confirmation->monitor[1].best, "not run: no memory");
  EXPECT_EQ(confirmation->monitor[1].reference, "");
  EXPECT_EQ(confirmation->monitor[2].inputs, "the same twice");
  EXPECT_TRUE(confirmation->monitor[2].reference_departs);
  EXPECT_EQ(confirmation->monitor_notes, std::vector<std::string>{"a note"});
}

TEST(ReportFromResult, AResultWithoutThatComparisonIsAnErrorAndNotARatio) {
  const auto confirmation = confirmation_of(confirmed_job(), "reference-7", {});
  ASSERT_FALSE(confirmation);
  EXPECT_THAT(confirmation.error().message(), testing::HasSubstr("job 0042"));
}

TEST(ReportFromResult, NamesEveryReferenceAndMarksTheOneToBeat) {
  ReportModel model;
  add_result(confirmed_job(), "reference-1", model);
  ASSERT_EQ(model.opponents.size(), 2u);
  EXPECT_FALSE(model.opponents[0].to_beat);
  EXPECT_TRUE(model.opponents[1].to_beat);
  EXPECT_EQ(model.machine.arm_cpus, "1-3,6");
  EXPECT_EQ(model.machine.measurer_cpus, "none");
}

}  // namespace
}  // namespace forge
