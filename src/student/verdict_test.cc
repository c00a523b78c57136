#include "student/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "student/brief.h"

namespace forge {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

RoundStarted started(int round, std::string source) {
  RoundStarted event;
  event.round = round;
  event.source = std::move(source);
  event.tried = "kVec: 4 -> 8";
  return event;
}

// After round 1, which became best with artefact "a1".
State with_best() {
  State state;
  state.baseline = BaselineMeasured{2, "reference", "", {}, 0, 0, false};
  RoundJudged judged;
  judged.round = 1;
  judged.verdict = Verdict::kPassed;
  judged.artefact = "a1";
  judged.is_best = true;
  state.rounds = {{started(1, "s1"), judged}};
  state.bests = {1};
  return state;
}

Contrast contrast(std::string opponent, Comparison comparison, std::string cache = "cold") {
  Contrast result;
  result.opponent = std::move(opponent);
  result.cache = std::move(cache);
  result.comparison = comparison;
  result.ratio = {1.5, 1.4, 1.6};
  result.trials = 6;
  return result;
}

JobResult result_of(CandidateOutcome outcome, std::vector<Contrast> contrasts,
                    std::string artefact = "a2") {
  JudgeResult body;
  body.outcome = std::move(outcome);
  body.contrasts = std::move(contrasts);
  JobResult result;
  result.body = std::move(body);
  result.arms = {{"reference", "", {}, "r"}, {"candidate", "", {}, std::move(artefact)}};
  return result;
}

TEST(HardestReference, IsTheOneThatTheCandidateIsTheLeastAheadOfColdAndNeverTheIncumbent) {
  JudgeResult result;
  EXPECT_EQ(hardest_reference(result), nullptr);
  result.contrasts = {contrast("reference", Comparison::kFaster),
                      contrast("reference-1", Comparison::kFaster),
                      contrast("reference-1", Comparison::kFaster, "warm"),
                      contrast(std::string(kIncumbentArm), Comparison::kSame)};
  result.contrasts[1].ratio = {1.2, 1.1, 1.3};
  result.contrasts[2].ratio = {0.9, 0.8, 1.0};
  result.contrasts[3].ratio = {1, 0.99, 1.01};
  ASSERT_NE(hardest_reference(result), nullptr);
  EXPECT_EQ(hardest_reference(result)->opponent, "reference-1");
  EXPECT_EQ(hardest_reference(result)->cache, "cold");
}

TEST(JudgeRound, TheFirstCorrectCandidateIsTheBest) {
  State state;
  state.baseline = BaselineMeasured{2, "reference", "", {}, 0, 0, false};
  const auto judged = judge_round(
      state, started(1, "s1"), result_of(Passed{}, {contrast("reference", Comparison::kSlower)}));
  EXPECT_TRUE(judged.is_best);
  EXPECT_EQ(judged.vs_reference->comparison, Comparison::kSlower);
  EXPECT_EQ(judged.vs_incumbent, std::nullopt);
}

TEST(JudgeRound, LaterOnesHaveToBeFasterThanTheIncumbentInTheSameJob) {
  for (const auto versus :
       {Comparison::kFaster, Comparison::kSame, Comparison::kSlower, Comparison::kNoVerdict}) {
    const auto judged = judge_round(with_best(), started(2, "s2"),
                                    result_of(Passed{}, {contrast("reference", Comparison::kFaster),
                                                         contrast("incumbent", versus)}));
    EXPECT_EQ(judged.is_best, versus == Comparison::kFaster) << comparison_name(versus);
    EXPECT_EQ(judged.verdict, Verdict::kPassed);
  }
}

TEST(JudgeRound, WarmContrastsDecideNothing) {
  const auto judged =
      judge_round(with_best(), started(2, "s2"),
                  result_of(Passed{}, {contrast("incumbent", Comparison::kFaster, "warm")}));
  EXPECT_FALSE(judged.is_best);
}

TEST(JudgeRound, WrongCarriesNumbersAndNoRatio) {
  const Wrong wrong{{{"large", "spikes", "y", {3, 4}, 1.5, 2.5, 0.4, 0.01, 7, 64}}};
  const auto judged = judge_round(with_best(), started(2, "s2"),
                                  result_of(wrong, {contrast("incumbent", Comparison::kFaster)}));
  EXPECT_EQ(judged.verdict, Verdict::kWrong);
  EXPECT_THAT(judged.reason, HasSubstr("spikes"));
  EXPECT_EQ(judged.vs_incumbent, std::nullopt);
  EXPECT_FALSE(judged.is_best);
}

TEST(JudgeRound, AnArtefactThatWasJudgedBeforeKeepsItsVerdict) {
  const auto judged =
      judge_round(with_best(), started(2, "another source"),
                  result_of(Passed{}, {contrast("incumbent", Comparison::kFaster)}, "a1"));
  EXPECT_EQ(judged.reused_from, 1);
  EXPECT_EQ(judged.round, 2);
  EXPECT_FALSE(judged.is_best);
}

TEST(ReusedVerdict, OfTheSameSourceIsTakenWithoutAJob) {
  EXPECT_EQ(reused_verdict(with_best(), started(2, "s1"))->reused_from, 1);
  EXPECT_EQ(reused_verdict(with_best(), started(2, "s2")), std::nullopt);
}

TEST(ReusedVerdict, MissingEvidenceIsNoVerdictToReuse) {
  auto state = with_best();
  state.rounds[0].judged->verdict = Verdict::kNoVerdict;
  EXPECT_EQ(reused_verdict(state, started(2, "s1")), std::nullopt);
}

TEST(ShouldRetry, OnlyWhatSaidNothingAboutTheCandidate) {
  const auto failed = [](ErrorKind kind) {
    return Result<JobResult>(Error{kind, "cannot", "x", "y", ""});
  };
  EXPECT_TRUE(should_retry(failed(ErrorKind::kInfrastructure)));
  EXPECT_FALSE(should_retry(failed(ErrorKind::kInvalidInput)));
  EXPECT_TRUE(should_retry(result_of(NoVerdict{"the worker died"}, {})));
  EXPECT_FALSE(should_retry(result_of(Crash{"large", "SIGSEGV"}, {})));
  EXPECT_FALSE(should_retry(result_of(Passed{}, {})));
}

TEST(StudentBrief, HasRowFeedbackAndSearch) {
  auto state = with_best();
  state.rounds[0].judged->vs_reference = MeasuredRatio{{1.5, 1.4, 1.6}, Comparison::kFaster, 6};
  const Row row{"D0.1", "the width", "", {"4", "8"}, "b", "w", {}, "", "kVec"};
  Json search = Json::object();
  search.set("seed", 7);
  const auto brief = student_brief(state, {"M0", "Structure", {}, {row}}, row, 2, search);
  EXPECT_EQ(*brief.find("row")->find("tunable")->as_string(), "kVec");
  EXPECT_THAT(*brief.find("feedback")->as_string(), HasSubstr("1.500 [1.400, 1.600], faster"));
  EXPECT_NE(brief.find("seed"), nullptr);
  EXPECT_THAT(student_prompt(state, ProblemFacts(), {"M0", "Structure", {}, {row}}, row),
              AllOf(HasSubstr("Choose from: 4, 8"), HasSubstr("the kernel's tunable `kVec`"),
                    HasSubstr("1.500 [1.400, 1.600], faster"), HasSubstr("round 1"),
                    Not(HasSubstr("value:")), Not(HasSubstr("{{"))));
}

}  // namespace
}  // namespace forge
