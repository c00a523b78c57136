#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "teacher/brief.h"
#include "teacher/digest.h"
#include "teacher/gates.h"

namespace forge {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Round round(int number, std::string row, Verdict verdict, double ratio, bool is_best) {
  Round result;
  result.started.round = number;
  result.started.milestone = row == kStartRow ? "" : "M0";
  result.started.row = std::move(row);
  result.started.job = number + 2;
  result.started.tried = "something";
  RoundJudged judged;
  judged.round = number;
  judged.verdict = verdict;
  judged.is_best = is_best;
  if (verdict == Verdict::kPassed) {
    judged.vs_reference = MeasuredRatio{{ratio, ratio, ratio}, Comparison::kFaster, 6};
    judged.vs_incumbent =
        MeasuredRatio{{1, 1, 1}, is_best ? Comparison::kFaster : Comparison::kSlower, 6};
  }
  result.judged = judged;
  return result;
}

// Start 1.2, then 1.6, a regression, and a wrong one.
State story() {
  State state;
  state.rounds = {
      round(1, "start", Verdict::kPassed, 1.2, true), round(2, "D0.1", Verdict::kPassed, 1.6, true),
      round(3, "D0.1", Verdict::kPassed, 1.1, false), round(4, "D0.2", Verdict::kWrong, 0, false)};
  state.bests = {1, 2};
  state.milestones = {{{"M0", "", {"D0.1", "D0.2"}, {}}, {{"D0.1", "nothing left"}}, {}, false}};
  return state;
}

GateOutcome outcome(const State& state, std::string_view gate) {
  return evaluate_gate(state, "M0", *parse_gate(gate, "M0")).outcome;
}

TEST(Gates, CorrectNeedsABest) {
  EXPECT_EQ(outcome(story(), "correct"), GateOutcome::kPassed);
  EXPECT_EQ(outcome(State(), "correct"), GateOutcome::kFailed);
}

TEST(Gates, RatioIsThatOfTheBestAgainstTheReference) {
  EXPECT_EQ(outcome(story(), "ratio >= 1.6"), GateOutcome::kPassed);
  EXPECT_EQ(outcome(story(), "ratio >= 1.61"), GateOutcome::kFailed);
  EXPECT_EQ(outcome(State(), "ratio >= 1"), GateOutcome::kFailed);
}

TEST(Gates, NotSlowerThanStartIsKnownOnceTheStartWasMeasured) {
  EXPECT_EQ(outcome(story(), "not slower than start"), GateOutcome::kPassed);
  EXPECT_EQ(outcome(State(), "not slower than start"), GateOutcome::kNotEvaluated);
  auto no_verdict = story();
  no_verdict.rounds[0].judged->verdict = Verdict::kNoVerdict;
  EXPECT_EQ(outcome(no_verdict, "not slower than start"), GateOutcome::kNotEvaluated);
}

TEST(Gates, MechanismsAreSaidNotToBeEvaluated) {
  const auto gate = evaluate_gate(story(), "M0", *parse_gate("spill_bytes == 0", "M0"));
  EXPECT_EQ(gate.outcome, GateOutcome::kNotEvaluated);
  EXPECT_THAT(gate.detail, HasSubstr("spill_bytes"));
}

TEST(Digest, HoldsTargetGapCurveAndEachRowsEffect) {
  ProblemFacts facts;
  facts.goal_ratio = 2;
  const auto digest = digest_run(story(), facts);
  EXPECT_EQ(digest.achieved_ratio, 1.6);
  EXPECT_EQ(digest.gap, 0.8);
  ASSERT_EQ(digest.curve.size(), 4u);
  ASSERT_EQ(digest.rows.size(), 3u);
  EXPECT_EQ(digest.rows[1].before, 1.2);
  EXPECT_EQ(digest.rows[1].after, 1.6);
  EXPECT_EQ(digest.rows[1].rounds, 2);
  EXPECT_EQ(digest.rows[1].closed, "nothing left");
  EXPECT_THAT(digest.regressions, ElementsAre(3));
  EXPECT_THAT(digest.unusable, ElementsAre(4));
  EXPECT_THAT(digest.jobs, ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(render(digest), HasSubstr("achieved over target: 0.800"));
}

TEST(Digest, OfARunWithoutRoundsSaysSo) {
  EXPECT_THAT(render(digest_run(State(), ProblemFacts())), HasSubstr("achieved: none"));
}

TEST(TeacherBrief, SaysWhyAndWhatIsFrozen) {
  auto state = story();
  state.teacher_pending = TeacherEntered{Trigger::kPatience, "5 rounds"};
  const auto brief = teacher_brief(state, ProblemFacts(), 2, {{"M0", "text"}}, Json::object());
  EXPECT_EQ(*brief.find("trigger")->as_string(), "patience");
  EXPECT_EQ(*brief.find("frozen")->as_array()->front().find("toml")->as_string(), "text");
  const auto prompt =
      teacher_prompt(state, ProblemFacts(), 2, {{"M0", "text"}}, ReferenceSight::kHidden);
  EXPECT_THAT(prompt, AllOf(HasSubstr("5 rounds"), HasSubstr("M0 is closed"),
                            Not(HasSubstr("`reference/`")), Not(HasSubstr("{{"))));
  EXPECT_THAT(teacher_prompt(state, ProblemFacts(), 2, {}, ReferenceSight::kShown),
              HasSubstr("`reference/`"));
}

TEST(AcceptMilestones, OrdersThemAndRefusesWhatLintRefuses) {
  const std::string row = "\n[[rows]]\nid = \"D2.1\"\ndecision = \"d\"\nvalue = \"v\"\n";
  const auto accepted = accept_milestones({{"M10.toml", "id = \"M10\"\ntitle = \"t\""},
                                           {"M2.toml", "id = \"M2\"\ntitle = \"t\"" + row}});
  ASSERT_TRUE(accepted) << accepted.error().message();
  EXPECT_EQ(accepted->front().id, "M2");
  EXPECT_FALSE(accept_milestones({}));
  EXPECT_FALSE(accept_milestones({{"M0.toml", "id = \"M1\"\ntitle = \"t\""}}));
  const auto refused = accept_milestones({{"M0.toml", "id = \"M0\"\ntitle = \"t\"" + row}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("D2.1"));
}

}  // namespace
}  // namespace forge
