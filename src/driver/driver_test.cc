// Whole runs without a process: fake files, git, clock and hardware, the builtin agent.
#include "driver/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "driver/secrets.h"
#include "fakes/fake_run.h"
#include "problem/load.h"

namespace forge {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class DriverTest : public ::testing::Test {
 protected:
  void create() {
    const auto run = world_.create();
    ASSERT_TRUE(run) << run.error().message();
  }
  Path in_run(std::string_view name) { return world_.run / name; }

  FakeRun world_;
};

// A round, but not that of the start kernel.
bool has_incumbent(const JobSpec& job) {
  return job.kind == JobKind::kJudge && job.arms.size() == 3;
}

TEST_F(DriverTest, FindsTheBestSettingsConfirmsThemAndLeavesThemInBest) {
  create();
  const auto state = world_.drive_to_end();
  ASSERT_NE(state.best(), nullptr);
  EXPECT_EQ(state.best()->started.settings,
            (Settings{{"kTwoPass", "true"}, {"kVec", "4"}, {"kUnroll", "2"}}));
  EXPECT_EQ(state.finished->ending, Ending::kGoalConfirmed);
  EXPECT_NEAR(state.confirmation()->ratios[0].measured.ratio.point, 4.0, 1e-9);
  EXPECT_THAT(*world_.fs.read(in_run("best/kernel.cpp")),
              HasSubstr("FORGE_TUNABLE(int, kVec, 4, 1, 2, 4, 8)"));
  EXPECT_THAT(*world_.fs.read(in_run("best/bench.json")), HasSubstr("\"confirmation\""));
  EXPECT_THAT(*world_.fs.read(in_run("best/build.txt")),
              HasSubstr("\nfake-c++ -I. -Iinclude kernel.cpp\n"));
  EXPECT_THAT(*world_.fs.read(in_run("best/include/forge/kernel.h")), HasSubstr("FORGE_TUNABLE"));
  EXPECT_THAT(*world_.fs.read(in_run("best/forge_args.h")), HasSubstr("struct Args"));
  EXPECT_EQ(world_.reports, 1);
}

// The baseline ranks by a few trials; the confirmation may find another reference faster.
TEST_F(DriverTest, TheReferenceThatTheConfirmationFindsFastestIsTheOneToBeat) {
  world_.fs.add_file("tasks/norm/task.toml",
                     fake_task("run = \"reference/norm.py\"",
                               "run = [\"reference/norm.py\", \"reference/other.py\"]"));
  world_.fs.add_file("tasks/norm/reference/other.py", "another reference\n");
  world_.delivery.other_references_ns["reference-1"] = 600;
  create();
  const auto state = world_.drive_to_end();
  ASSERT_NE(state.confirmation(), nullptr);
  ASSERT_EQ(state.confirmation()->ratios.size(), 2u);
  EXPECT_EQ(hardest(*state.confirmation())->opponent, "reference-1");
  EXPECT_NEAR(hardest(*state.confirmation())->measured.ratio.point, 2.4, 1e-9);
  EXPECT_FALSE(state.confirmation()->goal_met) << "4.0 against the slower one is not enough";
  EXPECT_EQ(state.finished->ending, Ending::kBelowGoal);
  EXPECT_EQ(opponent_to_beat(state), "reference-1");
  EXPECT_THAT(*world_.fs.read(in_run("best/bench.json")), HasSubstr("\"label\": \"reference-1\""));
  std::string opponent = "reference";
  for (const JobSpec& job : world_.delivery.jobs) {
    if (job.kind == JobKind::kConfirm) opponent = "reference-1";
    if (job.kind == JobKind::kJudge) {
      EXPECT_EQ(job.arms.back().label, opponent) << job.id;
    }
  }
}

TEST_F(DriverTest, TakesStructureBeforeTuningAndRollsWrongCandidatesBack) {
  // What a sweep's few cases did not show, a round's do.
  bool in_round = false;
  world_.delivery.before_job = [&](const JobSpec& job) -> std::optional<Error> {
    in_round = job.kind == JobKind::kJudge;
    return std::nullopt;
  };
  const auto judge = world_.delivery.judge;
  world_.delivery.judge = [&](const Settings& settings) {
    const bool is_late = in_round && settings.at("kVec") == "4";
    return is_late ? CandidateOutcome(Crash{"large", "it crashed"}) : judge(settings);
  };
  create();
  const auto state = world_.drive_to_end();
  EXPECT_EQ(state.rounds[0].started.row, kStartRow);
  EXPECT_EQ(state.rounds[1].started.milestone, "M0");
  const auto crashed = std::find_if(state.rounds.begin(), state.rounds.end(), [](const auto& each) {
    return each.judged->verdict == Verdict::kCrash;
  });
  ASSERT_NE(crashed, state.rounds.end());
  EXPECT_EQ(crashed->started.milestone, "M1");
  const auto kept = "refs/forge/round-" + numbered(crashed->started.round);
  EXPECT_EQ(world_.git.refs().at(kept), crashed->started.commit);
  EXPECT_EQ(state.best()->started.settings.at("kVec"), "1");
}

TEST_F(DriverTest, SweepsTheStartKernelsValuesBeforeTheTeachersFirstTurn) {
  create();
  const auto state = world_.drive_to_end();
  ASSERT_EQ(state.sweeps.size(), 1u) << "rounds that change values alone need no other sweep";
  const Sweep& sweep = state.sweeps[0];
  EXPECT_EQ(sweep.space, state.rounds[0].started.space);
  EXPECT_EQ(sweep.origin, state.rounds[0].started.settings);
  EXPECT_GT(sweep.jobs, 1);
  ASSERT_TRUE(sweep.ended);
  EXPECT_EQ(sweep.ended->advised, state.best()->started.settings);
  EXPECT_NEAR(sweep.ended->gain, 4.4, 0.5) << "1100 ns over 250 ns, and the model is careful";
  const bool saw_wrong =
      std::any_of(sweep.observations.begin(), sweep.observations.end(),
                  [](const Observation& each) { return each.failure.starts_with("wrong"); });
  EXPECT_TRUE(saw_wrong) << "kUnroll = 8 is";
  std::vector<JobKind> kinds;
  for (const JobSpec& job : world_.delivery.jobs) kinds.push_back(job.kind);
  EXPECT_EQ(kinds[2], JobKind::kJudge);
  const auto sweeps = static_cast<std::size_t>(sweep.jobs);
  for (std::size_t i = 0; i < sweeps; ++i) EXPECT_EQ(kinds[3 + i], JobKind::kSweep);
  EXPECT_EQ(kinds[3 + sweeps], JobKind::kJudge);
}

TEST_F(DriverTest, AnInterruptedSweepGoesOnWhereItWas) {
  create();
  int sweeps = 0;
  world_.delivery.before_job = [&](const JobSpec& job) -> std::optional<Error> {
    world_.interrupt = job.kind == JobKind::kSweep && ++sweeps == 2;
    return std::nullopt;
  };
  ASSERT_TRUE(std::holds_alternative<Interrupted>(*world_.drive()));
  const auto before = world_.state().sweeps[0].observations.size();
  world_.interrupt = false;
  world_.delivery.before_job = nullptr;
  const auto state = world_.drive_to_end();
  EXPECT_GT(before, 0u);
  FakeRun whole;
  ASSERT_TRUE(whole.create());
  EXPECT_EQ(essence(state), essence(whole.drive_to_end()));
}

TEST_F(DriverTest, ASweepWhoseJobsFailEndsAndTheRunGoesOn) {
  create();
  world_.delivery.before_job = [&](const JobSpec& job) -> std::optional<Error> {
    if (job.kind != JobKind::kSweep) return std::nullopt;
    return Error{ErrorKind::kInfrastructure, "cannot do job", job.id, "the worker died", ""};
  };
  const auto state = world_.drive_to_end();
  ASSERT_EQ(state.sweeps.size(), 1u);
  EXPECT_THAT(state.sweeps[0].ended->why, HasSubstr("the worker died"));
  EXPECT_EQ(state.rounds.size(), 1u);
}

TEST_F(DriverTest, NeverTimesTheSameSettingsTwice) {
  create();
  const auto state = world_.drive_to_end();
  std::set<std::string> seen;
  for (const auto& round : state.rounds) {
    EXPECT_TRUE(seen.insert(round.started.source).second) << round.started.tried;
  }
}

TEST_F(DriverTest, RoundsDrawFromThePoolAndConfirmationUsesSeedsOfItsOwn) {
  create();
  world_.drive_to_end();
  const auto secrets = read_secrets(world_.fs, RunPaths(world_.run));
  ASSERT_TRUE(secrets);
  EXPECT_EQ(world_.fs.permissions(in_run("secrets.json")), 0600u);
  std::set<std::vector<std::uint64_t>> draws;
  for (const auto& job : world_.delivery.jobs) {
    EXPECT_EQ(job.seeds.size(), kSeedsPerJob);
    for (const auto seed : job.seeds) {
      const bool in_pool =
          std::count(secrets->round_seeds.begin(), secrets->round_seeds.end(), seed);
      EXPECT_EQ(in_pool, job.kind != JobKind::kConfirm);
    }
    draws.insert(job.seeds);
  }
  EXPECT_GT(draws.size(), 2u);
}

TEST_F(DriverTest, EachJobHasItsArmsAndTheFrozenJudge) {
  create();
  const auto state = world_.drive_to_end();
  std::vector<std::size_t> arms;
  for (const auto& job : world_.delivery.jobs) {
    EXPECT_EQ(job.check_digest, state.judge->digest);
    EXPECT_EQ(job.tolerance.allowed.empty(), job.kind == JobKind::kAlign);
    arms.push_back(job.arms.size());
  }
  // align, baseline, the start kernel alone
  EXPECT_EQ(std::vector<std::size_t>(arms.begin(), arms.begin() + 3),
            (std::vector<std::size_t>{1, 1, 2}));
  EXPECT_EQ(arms[arms.size() - 2], 3u) << "a round has the incumbent";
}

TEST_F(DriverTest, AJobThatFailsTwiceIsTriedAThirdTimeAfterGrowingPauses) {
  create();
  int failures = 2;
  world_.delivery.before_job = [&](const JobSpec& job) -> std::optional<Error> {
    if (!has_incumbent(job) || failures-- <= 0) return std::nullopt;
    return Error{ErrorKind::kInfrastructure, "cannot do job", job.id, "the worker died", ""};
  };
  const auto state = world_.drive_to_end();
  EXPECT_EQ(state.rounds[1].judged->verdict, Verdict::kPassed);
  ASSERT_EQ(world_.pauses.size(), 2u);
  EXPECT_LT(world_.pauses[0], world_.pauses[1]);
}

TEST_F(DriverTest, AJobThatKeepsFailingIsNoVerdictAndNeverWrong) {
  create();
  world_.delivery.before_job = [&](const JobSpec& job) -> std::optional<Error> {
    if (!has_incumbent(job)) return std::nullopt;
    return Error{ErrorKind::kInfrastructure, "cannot do job", job.id, "the worker died", ""};
  };
  const auto state = world_.drive_to_end();
  EXPECT_EQ(state.rounds[1].judged->verdict, Verdict::kNoVerdict);
  EXPECT_THAT(state.rounds[1].judged->reason, HasSubstr("the worker died"));
  EXPECT_FALSE(world_.git.refs().contains("refs/forge/round-0002"));
}

TEST_F(DriverTest, WhatAPersonHasToPutRightStopsTheRunInTheMiddleOfARoundAndCostsNone) {
  create();
  world_.delivery.before_job = [&](const JobSpec& job) -> std::optional<Error> {
    if (!has_incumbent(job)) return std::nullopt;
    return Error{ErrorKind::kEnvironment, "cannot write", "/cache/x", "the disk is full", ""};
  };
  const auto end = world_.drive();
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().message(), HasSubstr("the disk is full"));
  EXPECT_TRUE(world_.pauses.empty()) << "it was tried again, in vain";
  world_.delivery.before_job = nullptr;
  EXPECT_EQ(world_.drive_to_end().rounds[1].judged->verdict, Verdict::kPassed);
}

TEST_F(DriverTest, AMissingBaselineIsAnErrorAndTheRunGoesOnOnceItsCauseIsGone) {
  create();
  world_.delivery.before_job = [&](const JobSpec& job) -> std::optional<Error> {
    if (job.kind != JobKind::kBaseline) return std::nullopt;
    return Error{ErrorKind::kInfrastructure, "cannot do job", job.id, "the reference hangs", ""};
  };
  const auto end = world_.drive();
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().message(), HasSubstr("the reference hangs"));
  world_.delivery.before_job = nullptr;
  EXPECT_EQ(world_.drive_to_end().finished->ending, Ending::kGoalConfirmed);
}

TEST_F(DriverTest, InterruptedInAJobItCancelsAndGoesOnLater) {
  create();
  world_.delivery.before_job = [&](const JobSpec& job) -> std::optional<Error> {
    world_.interrupt = job.kind == JobKind::kBaseline;
    return std::nullopt;
  };
  auto end = world_.drive();
  ASSERT_TRUE(end) << end.error().message();
  EXPECT_TRUE(std::holds_alternative<Interrupted>(*end));
  end = world_.drive();
  EXPECT_TRUE(std::holds_alternative<Interrupted>(*end));
  world_.interrupt = false;
  world_.delivery.before_job = nullptr;
  EXPECT_EQ(world_.drive_to_end().finished->ending, Ending::kGoalConfirmed);
}

TEST_F(DriverTest, ASecondDriverIsRefusedAndToldWhoHoldsTheRun) {
  create();
  const auto lock = world_.fs.try_lock(in_run("driver.lock"), "forge run, pid 42");
  ASSERT_TRUE(lock);
  const auto end = world_.drive();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().kind, ErrorKind::kBusy);
  EXPECT_THAT(end.error().message(), HasSubstr("pid 42"));
}

TEST_F(DriverTest, AJudgeThatChangedStopsTheRun) {
  create();
  world_.delivery.before_job = [&](const JobSpec& job) -> std::optional<Error> {
    if (has_incumbent(job)) world_.fs.add_file(in_run("problem/check/oracle.py"), "yes to all\n");
    return std::nullopt;
  };
  const auto end = world_.drive();
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().message(), HasSubstr("not the one that was frozen"));
  const auto again = world_.drive();
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message(), HasSubstr("not the problem that was frozen"));
}

TEST_F(DriverTest, ABestThatIsWrongOnFreshSeedsIsDiscardedForTheOneBefore) {
  create();
  world_.delivery.confirm_judge = [](const Settings& settings) -> CandidateOutcome {
    if (settings.at("kUnroll") == "2") return Crash{"large", "SIGSEGV"};
    return Passed{};
  };
  const auto state = world_.drive_to_end();
  EXPECT_GE(state.confirmations.size(), 2u);
  EXPECT_EQ(state.confirmations[0].verdict, Verdict::kCrash);
  ASSERT_NE(state.best(), nullptr);
  EXPECT_EQ(state.best()->started.settings.at("kUnroll"), "1");
  EXPECT_THAT(*world_.fs.read(in_run("best/kernel.cpp")), HasSubstr("kUnroll, 1, 1, 2, 8"));
}

TEST_F(DriverTest, WithoutACorrectKernelItEndsHonestlyAndLeavesNoBest) {
  create();
  world_.delivery.judge = [](const Settings&) {
    return CandidateOutcome(LaunchError{"large", "3"});
  };
  const auto state = world_.drive_to_end();
  EXPECT_EQ(state.finished->ending, Ending::kNoKernel);
  EXPECT_FALSE(world_.fs.exists(in_run("best")));
}

TEST_F(DriverTest, AGoalThatIsMissedEndsBelowItWhenNothingIsLeftToTry) {
  world_.fs.add_file("tasks/norm/task.toml", fake_task("ratio = 3.0", "ratio = 9.0"));
  create();
  const auto state = world_.drive_to_end();
  EXPECT_EQ(state.finished->ending, Ending::kBelowGoal);
  EXPECT_EQ(state.forge_ended->why, ForgeEnd::kNothingLeft);
  EXPECT_GE(state.meta_entries, 1);
}

TEST_F(DriverTest, AConfirmationThatFallsShortIsReportedAsItIs) {
  world_.delivery.confirm_slowdown = 2;
  create();
  const auto state = world_.drive_to_end();
  EXPECT_EQ(state.finished->ending, Ending::kBelowGoal);
  EXPECT_TRUE(state.goal_refuted);
}

TEST_F(DriverTest, OracleAndReferenceThatDisagreeEndInAnErrorThatSaysHow) {
  create();
  world_.delivery.before_job = [](const JobSpec& job) -> std::optional<Error> {
    if (job.kind != JobKind::kAlign) return std::nullopt;
    return Error{ErrorKind::kInvalidInput, "cannot align", "norm", "they disagree at y[3]", ""};
  };
  const auto end = world_.drive();
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().message(), HasSubstr("y[3]"));
  EXPECT_EQ(world_.delivery.jobs.size(), 1u);
}

TEST_F(DriverTest, AJudgeThatTakesWrongForRightIsNotFrozenAndTheReasonIsSaid) {
  create();
  world_.delivery.admission.refusals = {"output 'y' passes when it is all zeros"};
  const auto end = world_.drive();
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().message(), HasSubstr("cannot admit the judge of"));
  EXPECT_THAT(end.error().message(), HasSubstr("passes when it is all zeros"));
  EXPECT_EQ(world_.delivery.jobs.size(), 1u);
  EXPECT_FALSE(world_.state().judge) << "it can be corrected, and the run begun anew";
}

TEST_F(DriverTest, AFinishedRunIsNotDrivenAgainButItsReportIsWritten) {
  create();
  const auto first = essence(world_.drive_to_end());
  const auto jobs = world_.delivery.jobs.size();
  EXPECT_EQ(essence(world_.drive_to_end()), first);
  EXPECT_EQ(world_.delivery.jobs.size(), jobs);
  EXPECT_EQ(world_.reports, 2);
}

TEST_F(DriverTest, RecordsEachTurnWithItsBriefAndOutcome) {
  create();
  const auto state = world_.drive_to_end();
  EXPECT_GT(state.turns, 3);
  for (int turn = 1; turn <= state.turns; ++turn) {
    const RunPaths paths(world_.run);
    EXPECT_TRUE(world_.fs.exists(paths.turn_prompt(turn)));
    EXPECT_TRUE(world_.fs.exists(paths.turn_brief(turn)));
    EXPECT_THAT(*world_.fs.read(paths.turn_outcome(turn)), HasSubstr("\"builtin\""));
  }
}

TEST_F(DriverTest, ShowsStageRoundAndBestWhileItWorks) {
  create();
  world_.drive_to_end();
  const auto& snapshots = world_.progress.snapshots;
  ASSERT_FALSE(snapshots.empty());
  EXPECT_EQ(snapshots.front().stage, Stage::kPrepare);
  EXPECT_EQ(snapshots.back().stage, Stage::kDone);
  EXPECT_NEAR(snapshots.back().best_ratio.value().point, 4.0, 1e-9);
  EXPECT_EQ(snapshots.back().last_verdict.empty(), false);
}

TEST_F(DriverTest, OneRoundTakesFewProcesses) {
  create();
  const auto state = world_.drive_to_end();
  EXPECT_LE(world_.processes.calls().size(), 8 * state.rounds.size());
}

TEST(CreateRun, RefusesATaskThatTheBuiltinAgentCannotBeginWith) {
  FakeRun world;
  world.fs.add_file("tasks/norm/task.toml", fake_task("[start]\npath = \"start/\"\n", ""));
  const auto run = world.create();
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message(), AllOf(HasSubstr("builtin"), HasSubstr("[start]")));
  EXPECT_FALSE(world.fs.exists(".artifacts"));
}

TEST(CreateRun, OnlyAnAgentNeedsAKernelToBeginWith) {
  FakeRun world;
  world.fs.add_file("tasks/norm/task.toml", fake_task("[start]\npath = \"start/\"\n", ""));
  const auto problem = load_problem(world.fs, "tasks/norm", HiddenShapes::kLoad);
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_TRUE(check_executable(*problem, "tasks/norm")) << "forge judge is given one";
  EXPECT_FALSE(check_start(*problem, "builtin", "tasks/norm"));
}

TEST(CreateRun, LeavesNoRunBehindWhenTheDiskIsFull) {
  FakeRun world;
  world.fs.fail_step(5, FaultSpan::kFromThenOn,
                     Error{ErrorKind::kInfrastructure, "", "", "no space left on device", ""});
  ASSERT_FALSE(world.create());
  world.fs.clear_faults();
  EXPECT_TRUE(find_runs(world.fs, ".artifacts")->empty());
}

TEST(RunDriver, SaysWhatADirectoryWithoutAJournalIs) {
  FakeRun world;
  world.run = "tasks";
  const auto end = world.drive();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace forge
