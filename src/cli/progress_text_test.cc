#include "cli/progress_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/fake_run.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

// Every line of a whole run, as forge run prints them.
std::vector<std::string> lines_of(FakeRun& world) {
  const Journal journal = read_journal(world.fs, RunPaths(world.run).journal()).value();
  std::vector<std::string> lines;
  State state;
  for (const JournalEntry& entry : journal.entries) {
    state = apply(std::move(state), entry).value();
    if (auto text = event_line(entry.event, state)) lines.push_back(std::move(*text));
  }
  return lines;
}

TEST(ProgressText, AWholeRunIsOneLineAStageAndOneARound) {
  FakeRun world;
  ASSERT_TRUE(world.create());
  const State state = world.drive_to_end();
  const auto lines = lines_of(world);
  std::size_t rounds = 0;
  for (const std::string& line : lines) rounds += line.find("forge     round ") != line.npos;
  EXPECT_EQ(rounds, state.rounds.size());
  // prepare, judge, baseline, scout, the sweep, distil, the end of the loops, confirm
  EXPECT_EQ(lines.size(), rounds + 8);
  EXPECT_THAT(lines.front(), HasSubstr("prepare   the operator tree"));
  EXPECT_THAT(lines[2], HasSubstr("large 1.00 us; noise floor 1.5 %"));
  EXPECT_THAT(lines.back(), HasSubstr("confirm   round "));
  EXPECT_THAT(lines.back(), HasSubstr("new trials, goal reached"));
}

TEST(ProgressText, ARoundsLineHasRowChangeVerdictRatioAndWhatBecameOfIt) {
  State state;
  state.elapsed_s = 75;
  Round round;
  round.started.round = 3;
  round.started.row = "D0.2";
  round.started.tried = "kVec: 4 -> 8";
  state.rounds = {{}, {}, round};
  RoundJudged judged;
  judged.round = 3;
  judged.verdict = Verdict::kPassed;
  judged.vs_reference = MeasuredRatio{{3.4, 3.3, 3.5}, Comparison::kFaster, 6};
  judged.is_best = true;
  std::string line = *event_line(judged, state);
  for (const char* part : {"1:15", "forge", "round  3", "D0.2", "kVec: 4 -> 8", "passed",
                           "3.40x [3.30, 3.50]", "new best"}) {
    EXPECT_THAT(line, HasSubstr(part));
  }
  judged = {};
  judged.round = 3;
  judged.verdict = Verdict::kWrong;
  judged.reason = "wrong in 1 of 3 cases\nmore";
  line = *event_line(judged, state);
  EXPECT_THAT(line, HasSubstr("rolled back: wrong in 1 of 3 cases"));
  EXPECT_THAT(line, Not(HasSubstr("more")));
}

TEST(ProgressText, ARunThatOnlyBeginsIsNotSaidToGoOn) {
  State state;
  state.events = 1;
  EXPECT_FALSE(resumed_line(state).has_value());
  state.events = 2;
  EXPECT_THAT(*resumed_line(state), HasSubstr("going on where it stopped: 0 rounds"));
}

TEST(ProgressText, TheLiveDisplayTellsMilestoneRowBestAndVerdict) {
  ProgressSnapshot now;
  now.stage = Stage::kForge;
  now.doing = "round 7, D1.2: kVec: 4 -> 8";
  EXPECT_EQ(live_text(now), "forge     round 7, D1.2: kVec: 4 -> 8");
  EXPECT_THAT(live_detail(now), HasSubstr("no best yet"));
  now.milestone = "M1";
  now.round = 7;
  now.row = "D1.2";
  now.best_ratio = Interval{2.5, 2.25, 2.75};
  now.last_verdict = "wrong";
  EXPECT_EQ(live_detail(now),
            "         M1 | round 7, row D1.2 | best 2.50x [2.25, 2.75] | last wrong");
}

TEST(ProgressText, TheLiveDisplayHasTheBudgetOnlyWhileItRuns) {
  ProgressSnapshot now;
  now.stage = Stage::kForge;
  now.budget_left_s = 3600;
  EXPECT_THAT(live_detail(now), HasSubstr("at most 1:00:00 left"));
  now.stage = Stage::kConfirm;
  EXPECT_THAT(live_detail(now), Not(HasSubstr("left")));
}

}  // namespace
}  // namespace forge
