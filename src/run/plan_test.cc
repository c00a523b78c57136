#include "run/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using ::testing::HasSubstr;

constexpr double kStarted_s = 100;

ProblemFacts facts() {
  ProblemFacts facts;
  facts.goal_ratio = 2;
  facts.hours = 1;
  facts.max_meta = 2;
  facts.patience = 2;
  return facts;
}

// Folds events one after the other, as a driver would.
class Story {
 public:
  Story& then(Event event, double elapsed_s = kStarted_s) {
    auto next_state = apply(state, {state.events + 1, "now", elapsed_s, std::move(event)});
    if (!next_state) invariant_failed(__FILE__, __LINE__, next_state.error().message());
    state = std::move(*next_state);
    return *this;
  }
  Story& round(std::string milestone, std::string row, Verdict verdict, double ratio,
               Comparison versus) {
    const int number = static_cast<int>(state.rounds.size()) + 1;
    const auto parent = number == 1 ? std::string() : state.head;
    then(RoundStarted{number,
                      std::move(milestone),
                      std::move(row),
                      state.jobs + 1,
                      parent,
                      "commit" + std::to_string(number),
                      "source",
                      space,
                      "tried",
                      settings,
                      {}});
    RoundJudged judged;
    judged.round = number;
    judged.verdict = verdict;
    if (verdict == Verdict::kPassed) {
      judged.vs_reference = MeasuredRatio{{ratio, ratio, ratio}, Comparison::kFaster, 6};
      judged.is_best = state.best() == nullptr || versus == Comparison::kFaster;
    }
    return then(judged);
  }
  Action next() const { return forge::next(state, facts(), state.elapsed_s); }
  template <typename T>
  T expect() const {
    const auto action = next();
    if (const auto* found = std::get_if<T>(&action)) return *found;
    ADD_FAILURE() << "another action: " << action.index();
    return T{};
  }
  template <typename T>
  T expect_record() const {
    const auto record = expect<Record>();
    if (const auto* found = std::get_if<T>(&record.event)) return *found;
    ADD_FAILURE() << "another event: " << event_type(record.event);
    return T{};
  }

  State state;
  // Of the rounds that follow.
  std::string space;
  Settings settings;
};

// Up to the milestones, which hold one row each.
Story ready() {
  Story story;
  story.then(RunCreated{"norm", "cpu", "d", 1, "forge", "builtin", "m", "none"})
      .then(Prepared{"commit0", "source0"})
      .then(JudgeFrozen{1, "d", "a", "o", Json::object(), Json::object()})
      .then(BaselineMeasured{2, "reference", "PyTorch", {}, 0.015, 0, false})
      .then(Scouted{"findings"})
      .then(MilestonesWritten{
          1,
          {{"M0", "m0", {"D0.1"}, {"correct"}}, {"M1", "m1", {"D1.1"}, {"ratio >= 2"}}},
          {1, "", {}}});
  return story;
}

Story with_start() {
  return ready().round("", std::string(kStartRow), Verdict::kPassed, 1.2, Comparison::kNoVerdict);
}

TEST(Plan, GoesThroughTheStagesInOrder) {
  Story story;
  story.then(RunCreated{"norm", "cpu", "d", 1, "forge", "builtin", "m", "none"});
  story.expect<PrepareTree>();
  story.then(Prepared{"commit0", "source0"});
  EXPECT_EQ(story.expect<AlignJudge>().job, 1);
  story.then(JudgeFrozen{1, "d", "a", "o", Json::object(), Json::object()});
  EXPECT_EQ(story.expect<MeasureBaseline>().job, 2);
  story.then(BaselineMeasured{2, "reference", "PyTorch", {}, 0.015, 0, false});
  story.expect<ScoutReference>();
  story.then(Scouted{"findings"});
  EXPECT_EQ(story.expect<OpenStartRound>().round, 1);
  story.round("", std::string(kStartRow), Verdict::kPassed, 1.2, Comparison::kNoVerdict);
  EXPECT_EQ(story.expect<TakeTeacherTurn>().version, 1);
}

TEST(Plan, MeasuresTheStartKernelBeforeTheFirstRow) {
  const auto start = ready().expect<OpenStartRound>();
  EXPECT_EQ(start.round, 1);
  EXPECT_EQ(start.job, 3);
  const auto turn = with_start().expect<TakeStudentTurn>();
  EXPECT_EQ(turn.row, "D0.1");
  EXPECT_EQ(turn.round, 2);
  EXPECT_EQ(turn.job, 4);
  EXPECT_EQ(turn.turn, 2);
}

// A start kernel whose values can be chosen, and no milestones yet.
Story with_values() {
  Story story;
  story.then(RunCreated{"norm", "cpu", "d", 1, "forge", "builtin", "m", "none"})
      .then(Prepared{"commit0", "source0"})
      .then(JudgeFrozen{1, "d", "a", "o", Json::object(), Json::object()})
      .then(BaselineMeasured{2, "reference", "PyTorch", {}, 0.015, 0, false})
      .then(Scouted{"findings"});
  story.space = "space";
  story.settings = {{"kVec", "1"}};
  return story.round("", std::string(kStartRow), Verdict::kPassed, 1.2, Comparison::kNoVerdict);
}

Swept swept(int job, double log_ratio) {
  return {job, "space", {{"kVec", "1"}}, {{{{"kVec", "4"}}, job, "", "artefact", {{log_ratio}}}}};
}

SweepEnded sweep_ended() { return {"space", "nothing is to be gained", {{"kVec", "4"}}, 1.3, {}}; }

TEST(Plan, SweepsTheBestsValuesToTheEndBeforeTheTeacherIsAsked) {
  auto story = with_values();
  EXPECT_EQ(story.expect<SweepTunables>().job, 4);
  story.then(swept(4, 0.1));
  const auto next_job = story.expect<SweepTunables>();
  EXPECT_EQ(next_job.job, 5);
  EXPECT_EQ(next_job.budget, SweepBudget::kOpen);
  story.then(sweep_ended());
  EXPECT_EQ(story.expect<TakeTeacherTurn>().version, 1);
}

TEST(Plan, AWrongStartKernelHasNoValuesWorthSweeping) {
  auto story = ready();
  story.space = "space";
  story.round("", std::string(kStartRow), Verdict::kWrong, 0, Comparison::kNoVerdict);
  story.expect<TakeStudentTurn>();
}

TEST(Plan, SweepsEndWithTheirShareOfTheHours) {
  auto story = with_values();
  story.then(swept(4, 0.1), kStarted_s + kSweepShare * 3600 + 1);
  EXPECT_EQ(story.expect<SweepTunables>().budget, SweepBudget::kSpent);
}

TEST(Plan, ANewBestOfOtherCodeIsSweptAndWhatThatAdvisesBecomesARound) {
  auto story = with_values();
  story.then(sweep_ended());
  story.then(MilestonesWritten{1, {{"M0", "m0", {"D0.1"}, {"correct"}}}, {1, "", {}}});
  story.expect<TakeStudentTurn>();
  story.space = "other";
  story.round("M0", "D0.1", Verdict::kPassed, 1.4, Comparison::kFaster);
  EXPECT_EQ(story.expect<SweepTunables>().job, 5);
  story.then(SweepEnded{"other", "why", {{"kVec", "8"}}, 1.2, {}});
  EXPECT_EQ(story.expect<OpenSweepRound>().round, 3);
  story.settings = {{"kVec", "8"}};
  story.round("", std::string(kSweepRow), Verdict::kPassed, 1.4, Comparison::kSame);
  EXPECT_EQ(story.expect<TakeStudentTurn>().row, "D0.1") << "once is enough";
}

TEST(Plan, WhatASweepAdvisesBeforeThereAreMilestonesIsForTheTeacher) {
  auto story = with_values();
  story.then(sweep_ended());
  story.then(MilestonesWritten{1, {{"M0", "m0", {"D0.1"}, {"correct"}}}, {1, "", {}}});
  story.expect<TakeStudentTurn>();
  story.round("M0", "D0.1", Verdict::kPassed, 1.4, Comparison::kFaster);
  EXPECT_EQ(story.expect<TakeStudentTurn>().row, "D0.1") << "the same space is not swept again";
}

TEST(State, RefusesSweepsThatContradictIt) {
  auto story = with_values();
  story.then(swept(4, 0.1));
  const auto refused = [&](Event event) {
    return !apply(story.state, {story.state.events + 1, "now", 0, std::move(event)}).has_value();
  };
  Swept from_elsewhere = swept(5, 0.1);
  from_elsewhere.origin = {{"kVec", "2"}};
  EXPECT_TRUE(refused(from_elsewhere));
  EXPECT_TRUE(
      refused(RoundStarted{2, "", std::string(kSweepRow), 5, "", "", "", "none", "", {}, {}}));
  story.then(sweep_ended());
  EXPECT_TRUE(refused(sweep_ended()));
  EXPECT_TRUE(refused(swept(5, 0.1)));
}

TEST(Plan, AnOpenRoundIsJudgedWithTheJobItBeganWith) {
  auto story = with_start();
  story.then(RoundStarted{2, "M0", "D0.1", 4, "commit1", "commit2", "s", "", "t", {}, {2, "", {}}});
  EXPECT_EQ(story.expect<RunRoundJob>().round, 2);
  EXPECT_EQ(story.state.round(2)->started.job, 4);
}

TEST(Plan, WrongIsRolledBackToTheCommitBefore) {
  auto story = with_start().round("M0", "D0.1", Verdict::kWrong, 0, Comparison::kNoVerdict);
  EXPECT_EQ(story.expect<RollBack>().round, 2);
  story.then(RolledBack{2, "commit1"});
  EXPECT_EQ(story.state.head, "commit1");
  EXPECT_EQ(story.expect<TakeStudentTurn>().row, "D0.1");
}

TEST(Plan, SlowerAndMissingEvidenceAreNotRolledBack) {
  auto story = with_start().round("M0", "D0.1", Verdict::kPassed, 1.0, Comparison::kSlower);
  EXPECT_EQ(story.state.head, "commit2");
  EXPECT_EQ(story.state.bests, std::vector<int>{1});
  story.expect<TakeStudentTurn>();
  auto other = with_start().round("M0", "D0.1", Verdict::kNoVerdict, 0, Comparison::kNoVerdict);
  other.expect<TakeStudentTurn>();
}

TEST(Plan, AWrongStartKernelHasNothingToRollBackTo) {
  auto story =
      ready().round("", std::string(kStartRow), Verdict::kWrong, 0, Comparison::kNoVerdict);
  story.expect<TakeStudentTurn>();
}

TEST(Plan, ClosesAMilestoneWhenItsGatesPassAndHandsBackWhenOneFails) {
  auto story = with_start();
  story.then(RowClosed{"M0", "D0.1", "done", {2, "", {}}});
  EXPECT_EQ(story.expect<EvaluateGate>().gate, "correct");
  story.then(GateEvaluated{"M0", "correct", GateOutcome::kPassed, ""});
  EXPECT_EQ(story.expect_record<MilestoneClosed>().milestone, "M0");
  story.then(MilestoneClosed{"M0"}).then(RowClosed{"M1", "D1.1", "done", {3, "", {}}});
  story.then(GateEvaluated{"M1", "ratio >= 2", GateOutcome::kFailed, "1.2"});
  const auto entered = story.expect_record<TeacherEntered>();
  EXPECT_EQ(entered.trigger, Trigger::kGateFailed);
  EXPECT_THAT(entered.detail, HasSubstr("ratio >= 2"));
  story.then(entered);
  EXPECT_EQ(story.expect<TakeTeacherTurn>().version, 2);
}

TEST(Plan, AGateThatIsNotEvaluatedHereDoesNotHoldUpItsMilestone) {
  auto story = with_start();
  story.then(RowClosed{"M0", "D0.1", "done", {2, "", {}}})
      .then(GateEvaluated{"M0", "correct", GateOutcome::kNotEvaluated, ""});
  story.expect_record<MilestoneClosed>();
}

TEST(Plan, PatienceHandsBackToTheTeacherUntilItMayNotEnterAgain) {
  auto story = with_start();
  for (int i = 0; i < 2; ++i) {
    story.round("M0", "D0.1", Verdict::kPassed, 1.0, Comparison::kSlower);
  }
  EXPECT_EQ(story.expect_record<TeacherEntered>().trigger, Trigger::kPatience);
  story.state.meta_entries = 2;
  EXPECT_EQ(story.expect_record<ForgeEnded>().why, ForgeEnd::kMetaSpent);
}

TEST(Plan, ANewBestStartsPatienceAnew) {
  auto story = with_start();
  story.round("M0", "D0.1", Verdict::kPassed, 1.0, Comparison::kSlower);
  story.round("M0", "D0.1", Verdict::kPassed, 1.4, Comparison::kFaster);
  story.round("M0", "D0.1", Verdict::kPassed, 1.0, Comparison::kSlower);
  story.expect<TakeStudentTurn>();
  EXPECT_EQ(story.state.bests, (std::vector<int>{1, 3}));
}

TEST(Plan, AReachedGoalEndsTheLoopsInsteadOfAskingTheTeacher) {
  auto story = with_start().round("M0", "D0.1", Verdict::kPassed, 2.5, Comparison::kFaster);
  story.expect<TakeStudentTurn>();
  story.then(RowClosed{"M0", "D0.1", "done", {2, "", {}}}).then(MilestoneClosed{"M0"});
  story.then(RowClosed{"M1", "D1.1", "done", {3, "", {}}}).then(MilestoneClosed{"M1"});
  EXPECT_EQ(story.expect_record<ForgeEnded>().why, ForgeEnd::kGoalReached);
}

TEST(Plan, SpentHoursEndTheLoopsAndTheBestIsConfirmed) {
  auto story = with_start();
  const auto action = next(story.state, facts(), kStarted_s + 3600);
  const auto ended = std::get<ForgeEnded>(std::get<Record>(action).event);
  EXPECT_EQ(ended.why, ForgeEnd::kHoursSpent);
  story.then(ended);
  EXPECT_EQ(story.expect<ConfirmBest>().round, 1);
  EXPECT_EQ(story.state.stage(), Stage::kConfirm);
}

TEST(Plan, AWrongConfirmationDiscardsTheBestAndTurnsToTheOneBefore) {
  auto story = with_start().round("M0", "D0.1", Verdict::kPassed, 2.5, Comparison::kFaster);
  story.then(ForgeEnded{ForgeEnd::kHoursSpent, ""});
  EXPECT_EQ(story.expect<ConfirmBest>().round, 2);
  story.then(Confirmed{5, 2, Verdict::kWrong, "one element", {}, false});
  EXPECT_EQ(story.state.round(2)->judged->verdict, Verdict::kWrong);
  EXPECT_EQ(story.expect<ConfirmBest>().round, 1);
  story.then(Confirmed{6, 1, Verdict::kCrash, "", {}, false});
  EXPECT_EQ(story.expect_record<Finished>().ending, Ending::kNoKernel);
}

TEST(Plan, AConfirmationBelowAGoalThatARoundPromisedReopensTheLoops) {
  auto story = with_start().round("M0", "D0.1", Verdict::kPassed, 2.5, Comparison::kFaster);
  story.then(ForgeEnded{ForgeEnd::kGoalReached, ""});
  story.then(Confirmed{5, 2, Verdict::kPassed, "", {}, false});
  EXPECT_EQ(story.state.stage(), Stage::kForge);
  story.expect<TakeStudentTurn>();
  story.then(ForgeEnded{ForgeEnd::kHoursSpent, ""});
  EXPECT_EQ(story.expect_record<Finished>().ending, Ending::kBelowGoal);
}

TEST(Plan, AConfirmationWithoutAVerdictIsNotCalledWrong) {
  auto story = with_start();
  story.then(ForgeEnded{ForgeEnd::kNothingLeft, ""});
  story.then(Confirmed{4, 1, Verdict::kNoVerdict, "the worker died", {}, false});
  const auto finished = story.expect_record<Finished>();
  EXPECT_EQ(finished.ending, Ending::kUnconfirmed);
  EXPECT_EQ(finished.why, "the worker died");
}

TEST(Plan, AFinishedRunStops) {
  auto story = with_start();
  story.then(ForgeEnded{ForgeEnd::kNothingLeft, ""});
  story.then(Finished{Ending::kGoalConfirmed, "why"});
  EXPECT_EQ(story.expect<Stop>().finished.ending, Ending::kGoalConfirmed);
}

TEST(Plan, RepeatedlyFailedTurnsCloseTheRowOrGiveUpTheTeacher) {
  auto story = with_start();
  for (int turn = 2; turn < 5; ++turn) {
    story.expect<TakeStudentTurn>();
    story.then(TurnFailedEvent{"student", "D0.1", {turn, "", {}}});
  }
  EXPECT_EQ(story.expect_record<RowClosed>().row, "D0.1");
  story.then(TeacherEntered{Trigger::kPatience, ""});
  for (int turn = 5; turn < 8; ++turn) {
    story.expect<TakeTeacherTurn>();
    story.then(TurnFailedEvent{"teacher", "", {turn, "", {}}});
  }
  EXPECT_EQ(story.expect_record<ForgeEnded>().why, ForgeEnd::kAgentFailed);
}

TEST(State, KeepsLeadingMilestonesThatDidNotChange) {
  auto story = with_start();
  story.then(RowClosed{"M0", "D0.1", "done", {2, "", {}}}).then(MilestoneClosed{"M0"});
  story.then(TeacherEntered{Trigger::kPatience, ""});
  story.then(MilestonesWritten{
      2, {{"M0", "m0", {"D0.1"}, {"correct"}}, {"M1", "other", {"D1.1"}, {}}}, {3, "", {}}});
  EXPECT_TRUE(story.state.milestone("M0")->closed);
  EXPECT_FALSE(story.state.milestone("M1")->closed);
  EXPECT_EQ(story.expect<TakeStudentTurn>().row, "D1.1");
}

TEST(State, RefusesEventsThatContradictIt) {
  const auto story = with_start();
  const auto refused = [&](Event event) {
    return !apply(story.state, {story.state.events + 1, "now", 0, std::move(event)}).has_value();
  };
  EXPECT_TRUE(refused(Prepared{"again", ""}));
  EXPECT_TRUE(refused(RoundJudged{}));
  EXPECT_TRUE(refused(RolledBack{1, ""}));
  EXPECT_TRUE(refused(RowClosed{"M9", "D9.1", "", {}}));
  EXPECT_TRUE(refused(MilestonesWritten{5, {}, {}}));
  EXPECT_TRUE(refused(Confirmed{9, 3, Verdict::kPassed, "", {}, true}));
  EXPECT_TRUE(refused(RoundStarted{5, "M0", "D0.1", 9, "", "", "", "", "", {}, {}}));
  EXPECT_FALSE(apply(State(), {1, "now", 0, Scouted{}}));
}

TEST(State, AGoalIsMetByThePointEstimateOfACandidateThatIsNotSlower) {
  EXPECT_TRUE(goal_is_met({{1.2, 1.1, 1.3}, Comparison::kFaster, 12}, 1.2));
  EXPECT_FALSE(goal_is_met({{1.19, 1.1, 1.3}, Comparison::kFaster, 12}, 1.2));
  EXPECT_FALSE(goal_is_met({{1.2, 0.9, 1.5}, Comparison::kNoVerdict, 12}, 1.2));
}

}  // namespace
}  // namespace forge
