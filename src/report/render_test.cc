#include "report/render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "approved/approve.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

ReportConfirmation confirmation() {
  ReportConfirmation out;
  out.opponent = "reference";
  out.overall = {"reference", "cold", Comparison::kFaster, {1.87, 1.8, 1.94}, 12, ""};
  out.others = {{"reference", "warm", Comparison::kFaster, {1.65, 1.6, 1.7}, 12, ""},
                {"reference-1", "cold", Comparison::kNoVerdict, {1.1, 0.9, 1.4}, 12, "too noisy"}};
  out.shapes = {{"large", 9.31e6, 2.5e6, {3.72, 3.61, 3.84}, Interval{3.1, 3.0, 3.2}, 0.87, false},
                {"small", 95e3, 101e3, {0.94, 0.9, 0.98}, std::nullopt, std::nullopt, false},
                {"odd", 1e9, 2e9, {0.5, 0.4, 0.6}, std::nullopt, std::nullopt, true}};
  out.checked_cases = 18;
  out.timed_calls = 2304;
  out.monitor = {{"drawn on new seeds", "9 of 9 right", "9 of 9 right", false, false},
                 {"scaled up", "2 of 3 right (worst: y[0] of large)", "2 of 3 right", true, true},
                 {"the same twice", "9 of 9 the same bit by bit", "", false, false}};
  out.monitor_notes = {"inputs with one NaN were not tried: the oracle refuses NaN"};
  return out;
}

ReportModel model() {
  ReportModel out;
  out.problem = "rmsnorm_cpu";
  out.target = "cpu";
  out.run = "rmsnorm_cpu_7k2m";
  out.directory = ".artifacts/rmsnorm_cpu_7k2m";
  out.state = "finished: goal reached and confirmed";
  out.started = "2026-11-29T22:14:05Z";
  out.version = "forge 0.1.0";
  out.goal_ratio = 1.5;
  out.goal_reached = true;
  out.machine = {"Some CPU @ 2.80GHz", "Linux 6.1", 2, "0", "1", "g++ 12.2.0", "glibc 2.36"};
  out.opponents = {{"reference", "PyTorch 1.13.0, 1 thread", true},
                   {"reference-1", "oneDNN 2.6", false}};
  out.oracle = "PyTorch 1.13.0, python 3.11.2";
  out.oracle_author = "the problem's author";
  out.wrong_answers_tried = 240;
  out.wrong_answers_caught = 238;
  out.admission_notes = {"scalar 'eps' has no influence that can be seen"};
  out.noise_floor = 0.021;
  out.machine_sd = 0.0043;
  out.confirmation = confirmation();
  out.milestones = {{"M0",
                     "Structure",
                     "closed",
                     {{"D0.1", "kTwoPass", "true", "closed after 1 round: set"}},
                     {"ratio >= 1: passed"}},
                    {"M1", "Tuning", "open", {{"D1.1", "kVec", "8, 16", "open, 1 round"}}, {}}};
  out.rounds = {{1, "D0.1", "kTwoPass = true", "passed", Interval{2.1, 2.0, 2.2}, "new best", ""},
                {2, "D1.1", "kVec = 16", "wrong", std::nullopt, "rolled back",
                 "y[0, 3] of large/typical is 1.5, expected 1.25"}};
  out.writer = "builtin";
  out.boundary = "none needed: the builtin agent reads its brief only";
  out.best_folder = ".artifacts/rmsnorm_cpu_7k2m/best";
  out.best_files = {"kernel.cpp", "forge_args.h", "bench.json", "build.txt"};
  out.build_command = "g++ -O3 kernel.cpp";
  return out;
}

TEST(Report, MarkdownOfAConfirmedRunIsAsApproved) {
  expect_approved("report_confirmed.md", render_markdown(model()));
}

TEST(Report, SummaryOfAConfirmedRunIsAsApproved) {
  expect_approved("summary_confirmed.txt", render_summary(model()));
}

TEST(Report, WithoutAConfirmationNoRatioIsQuoted) {
  ReportModel unconfirmed = model();
  unconfirmed.confirmation.reset();
  unconfirmed.best_folder.clear();
  EXPECT_THAT(render_markdown(unconfirmed), Not(HasSubstr("1.87")));
  EXPECT_THAT(render_summary(unconfirmed), HasSubstr("nothing was confirmed"));
  expect_approved("summary_unconfirmed.txt", render_summary(unconfirmed));
}

TEST(Report, AShapeSlowerThanTheReferenceIsFlaggedHoweverGoodTheMean) {
  EXPECT_THAT(render_markdown(model()), HasSubstr("**slower than the reference**"));
  EXPECT_THAT(render_summary(model()), HasSubstr("SLOWER THAN THE REFERENCE"));
}

TEST(Report, AShapeWhosePointAloneIsBelowOneIsPerhapsSlower) {
  ReportModel wide = model();
  wide.confirmation->shapes[1].cold = {0.97, 0.9, 1.04};
  EXPECT_THAT(render_markdown(wide), HasSubstr("**perhaps slower than the reference**"));
  EXPECT_THAT(render_summary(wide), HasSubstr("on 1 of 2 public shapes: small"));
  wide.confirmation->shapes[1].cold = {1.01, 0.9, 1.1};
  EXPECT_THAT(render_summary(wide), Not(HasSubstr("warning")));
}

TEST(Report, MeanTimesAreOverThePublicShapesAndFitTheRatio) {
  const MeanTimes mean = mean_times(confirmation());
  EXPECT_DOUBLE_EQ(mean.reference_ns, std::sqrt(9.31e6 * 95e3));
  EXPECT_DOUBLE_EQ(mean.best_ns, std::sqrt(2.5e6 * 101e3));
  EXPECT_NEAR(mean.reference_ns / mean.best_ns, confirmation().overall.ratio.point, 0.01);
}

TEST(Report, HiddenShapesStandApartAndAreNotCountedAmongTheSlowerOnes) {
  const std::string text = render_summary(model());
  const auto heading = text.find("correct on all; speed shown beside, not part of the ratio");
  ASSERT_NE(heading, std::string::npos);
  EXPECT_GT(text.find("    odd "), heading);
  EXPECT_LT(text.find("    small "), heading);
  EXPECT_EQ(confirmation().slower_shapes(), std::vector<std::string>{"small"});
}

TEST(Report, TheMonitorIsSummedUpInALineThatSaysWhetherTheReferenceDepartsToo) {
  ReportModel seen = model();
  EXPECT_THAT(render_summary(seen), HasSubstr("differs on inputs scaled up (the reference too)"));
  seen.confirmation->monitor[1].reference_departs = false;
  EXPECT_THAT(render_summary(seen), HasSubstr("differs on inputs scaled up; no part"));
  seen.confirmation->monitor[1].best_departs = false;
  EXPECT_THAT(render_summary(seen), HasSubstr("nothing seen with 3 kinds of inputs"));
  seen.confirmation->monitor.clear();
  EXPECT_THAT(render_summary(seen), Not(HasSubstr("monitor")));
}

TEST(Report, MatchesAndBeatsAreDifferentWords) {
  ReportModel same = model();
  same.confirmation->overall.comparison = Comparison::kSame;
  same.confirmation->overall.ratio = {1.001, 0.995, 1.007};
  EXPECT_THAT(render_summary(same), HasSubstr("the best matches the reference"));
  EXPECT_THAT(render_markdown(same), HasSubstr("'Matches' is not 'beats'"));
  EXPECT_THAT(render_markdown(same), Not(HasSubstr("**beats**")));
}

TEST(Report, AGainInsideTheNoiseFloorIsSaidToBe) {
  ReportModel small = model();
  small.confirmation->overall.ratio = {1.015, 1.011, 1.019};
  EXPECT_THAT(render_markdown(small), HasSubstr("inside this machine's noise floor"));
}

TEST(Report, WhatACandidateSaysCannotForgeRowsHeadingsOrHtml) {
  ReportModel hostile = model();
  hostile.rounds[1].reason = "oops\n# Summary\n| **beats** | <script>alert(1)</script> | `x`";
  const std::string text = render_markdown(hostile);
  EXPECT_THAT(text, Not(HasSubstr("\n# Summary")));
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text, Not(HasSubstr("| **beats** |")));
}

TEST(Report, AnAdvisoryBoundaryAndWhatWasNotExecutedAreSaid) {
  ReportModel loose = model();
  loose.boundary = "advisory";
  loose.not_executed = {"warm-up calls"};
  EXPECT_THAT(render_markdown(loose), HasSubstr("The boundary was advisory"));
  EXPECT_THAT(render_markdown(loose), HasSubstr("Not executed: warm-up calls"));
}

}  // namespace
}  // namespace forge
