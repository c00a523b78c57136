#include "report/run_summary.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

State judged_once() {
  State state;
  state.prepared.emplace();
  state.judge.emplace();
  state.baseline.emplace().opponent = "reference";
  state.scouted.emplace();
  state.version = 1;
  state.milestones.push_back({{"M1", "digest", {"D1.2"}, {}}, {}, {}, false});
  Round round;
  round.started.round = 1;
  round.started.row = "D1.2";
  round.judged.emplace().verdict = Verdict::kPassed;
  round.judged->vs_reference = {{2.5, 2.25, 2.75}, Comparison::kFaster, 6};
  state.rounds.push_back(round);
  state.bests = {1};
  state.elapsed_s = 61.5;
  state.last_event_at = "2026-01-01T00:01:02Z";
  state.forge_began_s = 10;
  return state;
}

TEST(RunSummary, TellsOfTheBestRoundUntilThereIsAConfirmation) {
  State state = judged_once();
  RunSummary summary = summarise(state);
  EXPECT_EQ(summary.stage, "forge");
  EXPECT_EQ(summary.milestone, "M1");
  EXPECT_EQ(summary.row, "D1.2");
  EXPECT_EQ(summary.last_verdict, "passed");
  ASSERT_TRUE(summary.ratio);
  EXPECT_EQ(summary.ratio->point, 2.5);
  EXPECT_FALSE(summary.confirmed);

  Confirmed confirmed;
  confirmed.round = 1;
  confirmed.verdict = Verdict::kPassed;
  confirmed.ratios = {{"other", {{9, 9, 9}, Comparison::kFaster, 12}},
                      {"reference", {{2, 1.5, 2.5}, Comparison::kFaster, 12}}};
  state.confirmations.push_back(confirmed);
  summary = summarise(state);
  EXPECT_EQ(summary.ratio->point, 2);
  EXPECT_TRUE(summary.confirmed);
}

TEST(RunSummary, WhatIsKeptIsTakenForTheSameJournalOnly) {
  const RunSummary summary = summarise(judged_once());
  const std::string journal = "first line\nthe last line with its checksum 0123abcd\n";
  const std::string kept = kept_summary(summary, journal);
  const auto taken = take_kept_summary(kept, journal);
  ASSERT_TRUE(taken);
  EXPECT_EQ(to_json(*taken).dump(), to_json(summary).dump());

  EXPECT_FALSE(take_kept_summary(kept, journal + "one more\n"));
  EXPECT_FALSE(take_kept_summary(kept, "first line\nthe last line with its checksum 0123abce\n"));
  EXPECT_FALSE(take_kept_summary(kept, ""));
}

TEST(RunSummary, AnEmptyOneIsKeptToo) {
  const RunSummary summary = summarise(State{});
  const auto taken = take_kept_summary(kept_summary(summary, ""), "");
  ASSERT_TRUE(taken);
  EXPECT_EQ(to_json(*taken).dump(), to_json(summary).dump());
}

TEST(RunSummary, ADamagedOneIsNotTaken) {
  const std::string journal = "line\n";
  const std::string kept = kept_summary(summarise(judged_once()), journal);
  for (std::size_t bytes = 0; bytes + 2 < kept.size(); ++bytes) {
    EXPECT_FALSE(take_kept_summary(kept.substr(0, bytes), journal)) << bytes;
  }
}

}  // namespace
}  // namespace forge
