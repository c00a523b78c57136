#include "cli/judge_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using testing::HasSubstr;

Contrast contrast(std::string opponent, double point) {
  Contrast out;
  out.opponent = std::move(opponent);
  out.comparison = Comparison::kFaster;
  out.ratio = {point, point - 0.1, point + 0.1};
  out.trials = 6;
  out.shapes = {{"large", out.ratio}, {"small", {0.8, 0.7, 0.9}}};
  return out;
}

JobResult passed() {
  JobResult result;
  JudgeResult judged;
  judged.outcome = Passed{};
  judged.contrasts = {contrast("reference", 5), contrast("reference-1", 3)};
  judged.checked_cases = 6;
  judged.timed_calls = 90;
  result.body = judged;
  result.arms = {{"reference-1", "oneDNN 2.6", {}, ""}, {"reference", "PyTorch 1.13", {}, ""}};
  result.times = {{"candidate", "large", 1e6, "cold"}, {"reference-1", "large", 3e6, "cold"}};
  return result;
}

JobResult ended_with(CandidateOutcome outcome) {
  JobResult result;
  result.body = JudgeResult{std::move(outcome), {}, 1, 0, {}};
  return result;
}

TEST(JudgeOutput, JsonOfAPassHoldsVerdictRatioShapesAndTheFastestOpponent) {
  EXPECT_EQ(
      judgement_json(passed()).dump(),
      R"({"verdict":"passed","reason":"",)"
      R"("ratio":{"point":3.0,"low":2.9,"high":3.1},)"
      R"("shapes":[{"shape":"large","ratio":{"point":3.0,"low":2.9,"high":3.1}},)"
      R"({"shape":"small","ratio":{"point":0.8,"low":0.7,"high":0.9}}],)"
      R"("comparison":"faster",)"
      R"("opponent":{"label":"reference-1","description":"oneDNN 2.6"},)"
      R"("others":[{"label":"reference","description":"PyTorch 1.13",)"
      R"("ratio":{"point":5.0,"low":4.9,"high":5.1}}],)"
      R"("times":[{"label":"candidate","shape":"large","cache":"cold","median_ns":1000000.0},)"
      R"({"label":"reference-1","shape":"large","cache":"cold","median_ns":3000000.0}],"plan":null})");
}

TEST(JudgeOutput, EveryVerdictHasItsNameAndNoRatioButAPass) {
  const std::vector<std::pair<std::string, CandidateOutcome>> cases = {
      {"wrong", Wrong{{WrongValue{"large", "typical", "y", {0, 3}, 1, 2, 0.5, 0.1, 1, 64}}}},
      {"wrong", InputsModified{"large", "x"}},
      {"refused", Refused{"it opens a file"}},
      {"compile_error", CompileError{"expected ';'"}},
      {"launch_error", LaunchError{"large", "it returned 7"}},
      {"crash", Crash{"large", "SIGSEGV"}},
      {"timeout", TimeoutOutcome{"large", "20 s"}},
      {"no_verdict", NoVerdict{"the machine was unsteady"}},
  };
  for (const auto& [verdict, outcome] : cases) {
    const Json json = judgement_json(ended_with(outcome));
    EXPECT_EQ(*json.find("verdict")->as_string(), verdict);
    EXPECT_FALSE(json.find("reason")->as_string()->empty()) << verdict;
    EXPECT_TRUE(json.find("ratio")->is_null());
    EXPECT_TRUE(json.find("shapes")->as_array()->empty());
    EXPECT_TRUE(json.find("comparison")->is_null());
    EXPECT_TRUE(json.find("opponent")->is_null());
  }
}

TEST(JudgeOutput, TextFlagsAShapeSlowerThanTheOpponent) {
  const std::string text = judgement_text(passed());
  EXPECT_THAT(text, HasSubstr("the kernel beats it"));
  EXPECT_THAT(text, HasSubstr("SLOWER"));
}

TEST(JudgeOutput, TextNamesTheOtherReferencesBesideTheFastest) {
  EXPECT_THAT(judgement_text(passed()),
              HasSubstr("beside     reference (PyTorch 1.13): 5.00x [4.90, 5.10]"));
}

TEST(JudgeOutput, ATimingWithoutAVerdictSaysWhy) {
  JobResult result = passed();
  auto& judged = std::get<JudgeResult>(result.body);
  judged.contrasts.resize(1);
  judged.contrasts[0].comparison = Comparison::kNoVerdict;
  judged.contrasts[0].reason = "the spread is too wide";
  const Json json = judgement_json(result);
  EXPECT_EQ(*json.find("verdict")->as_string(), "passed");
  EXPECT_EQ(*json.find("comparison")->as_string(), "no_verdict");
  EXPECT_EQ(*json.find("reason")->as_string(), "the spread is too wide");
  const std::string text = judgement_text(result);
  EXPECT_THAT(text, HasSubstr("undecided whether the kernel is faster"));
  EXPECT_THAT(text, HasSubstr("the spread is too wide"));
}

JobResult planned() {
  PlanResult plan;
  plan.outcome = NoVerdict{"no CUDA device here"};
  plan.device = "NVIDIA H200, sm_90a (assumed)";
  plan.checked = {"compiled for sm_90a"};
  plan.plan_digest = std::string(64, 'a');
  plan.explanation = "device     NVIDIA H200\n";
  plan.metrics = {{"spill_bytes", 0}};
  JobResult result;
  result.body = plan;
  return result;
}

TEST(JudgeOutput, APlanIsNoVerdictAndSaysWhatWasChecked) {
  const Json json = judgement_json(planned());
  EXPECT_EQ(*json.find("verdict")->as_string(), "no_verdict");
  EXPECT_TRUE(json.find("ratio")->is_null());
  EXPECT_EQ(json.find("plan")->find("checked")->dump(), R"(["compiled for sm_90a"])");
  EXPECT_EQ(json.find("plan")->find("metrics")->dump(), R"({"spill_bytes":0.0})");
  EXPECT_THAT(judgement_text(planned()), HasSubstr("no CUDA device here"));
  EXPECT_THAT(explanation_text(planned()), HasSubstr("plan       aaaaaaaaaaaa\ndevice"));
}

TEST(JudgeOutput, WithoutAPlanTheExplanationSaysSo) {
  EXPECT_THAT(explanation_text(passed()), HasSubstr("only CUDA kernels"));
  JobResult refused = planned();
  std::get<PlanResult>(refused.body).outcome = Refused{"it uses cudaMalloc"};
  std::get<PlanResult>(refused.body).plan_digest.clear();
  EXPECT_TRUE(judgement_json(refused).find("plan")->is_null());
  EXPECT_THAT(explanation_text(refused), HasSubstr("none"));
}

}  // namespace
}  // namespace forge
