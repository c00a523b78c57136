#include "evolve/chain_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolve/chain_journal.h"

namespace forge {
namespace {

using testing::HasSubstr;

GenerationEnded ended(int generation, double point, double low, double floor = 0.015) {
  GenerationEnded out;
  out.generation = generation;
  out.noise_floor = floor;
  out.confirmed = MeasuredRatio{{point, low, point + 0.01}, Comparison::kFaster, 12};
  return out;
}

// Builds states event by event, as a journal does.
class ChainStateTest : public testing::Test {
 protected:
  ChainStateTest() { add(ChainCreated{"norm", "tasks/norm", "digest", 1.05, 0, "forge"}); }
  void add(ChainEvent event) {
    auto next_state = apply(state_, {++number_, "", 0, std::move(event)});
    ASSERT_TRUE(next_state) << next_state.error().message();
    state_ = std::move(*next_state);
  }
  void open_and_end(int generation, double point, double low) {
    add(GenerationOpened{generation, "norm", "tasks/norm", "norm_aaaa"});
    add(ended(generation, point, low));
  }
  template <typename T>
  T expect_next() {
    const ChainAction action = next(state_);
    EXPECT_TRUE(std::holds_alternative<T>(action)) << action.index();
    return std::get<T>(action);
  }

  ChainState state_;
  int number_ = 0;
};

TEST(IsGain, NeedsThePointAboveTheNoiseFloorAndTheLowerEndAboveOne) {
  EXPECT_TRUE(is_gain(ended(0, 1.02, 1.001)));
  EXPECT_FALSE(is_gain(ended(0, 1.015, 1.001))) << "at the floor is not above it";
  EXPECT_FALSE(is_gain(ended(0, 1.02, 1.0)));
  EXPECT_FALSE(is_gain(ended(0, 1.2, 0.99)));
  EXPECT_FALSE(is_gain(ended(0, 1.02, 1.001, 0.03)));
  EXPECT_FALSE(is_gain(GenerationEnded{})) << "there is no confirmed best";
}

TEST_F(ChainStateTest, AGainBecomesTheNextProblemUntilThereIsNone) {
  EXPECT_EQ(expect_next<OpenGeneration>().generation, 0);
  add(GenerationOpened{0, "norm", "tasks/norm", "norm_aaaa"});
  EXPECT_EQ(expect_next<DriveGeneration>().generation, 0);
  add(ended(0, 2.0, 1.9));
  EXPECT_EQ(expect_next<WriteProblem>().generation, 1);
  add(ProblemWritten{1, "norm-g1", "tasks/norm-g1", "digest"});
  EXPECT_EQ(expect_next<OpenGeneration>().generation, 1);
  open_and_end(1, 1.01, 1.001);
  expect_next<MeasureCumulative>();
  add(CumulativeMeasured{});
  const ChainFinished finished = expect_next<FinishChain>().finished;
  EXPECT_EQ(finished.why, ChainEnd::kInsideNoiseFloor);
  EXPECT_THAT(finished.detail, HasSubstr("gained 1.0 %"));
  add(finished);
  expect_next<ChainIsDone>();
}

TEST_F(ChainStateTest, WithoutAnyGainThereIsNothingToCompareWithTheOriginal) {
  open_and_end(0, 1.001, 0.99);
  EXPECT_EQ(expect_next<FinishChain>().finished.why, ChainEnd::kInsideNoiseFloor);
}

TEST_F(ChainStateTest, AGenerationWithoutAConfirmedBestEndsTheChain) {
  add(GenerationOpened{0, "norm", "tasks/norm", "norm_aaaa"});
  GenerationEnded nothing;
  nothing.why = "no kernel passed";
  add(nothing);
  const ChainFinished finished = expect_next<FinishChain>().finished;
  EXPECT_EQ(finished.why, ChainEnd::kNoConfirmedBest);
  EXPECT_THAT(finished.detail, HasSubstr("no kernel passed"));
}

TEST_F(ChainStateTest, ACapCountsGenerationsAndItsLastGainIsStillWritten) {
  state_.created->max_generations = 1;
  open_and_end(0, 2.0, 1.9);
  EXPECT_EQ(expect_next<WriteProblem>().generation, 1);
  add(ProblemWritten{1, "norm-g1", "tasks/norm-g1", "digest"});
  expect_next<MeasureCumulative>();
  add(CumulativeMeasured{});
  EXPECT_EQ(expect_next<FinishChain>().finished.why, ChainEnd::kCapReached);
}

TEST_F(ChainStateTest, EventsThatContradictTheStateAreRefused) {
  const auto refused = [&](ChainEvent event) {
    return !apply(state_, {number_ + 1, "", 0, std::move(event)}).has_value();
  };
  EXPECT_TRUE(refused(ChainCreated{}));
  EXPECT_TRUE(refused(GenerationOpened{1, "", "", ""}));
  EXPECT_TRUE(refused(ended(0, 2, 2)));
  EXPECT_TRUE(refused(ProblemWritten{2, "", "", ""}));
  open_and_end(0, 2, 2);
  EXPECT_TRUE(refused(ended(0, 2, 2)));
  add(ChainFinished{});
  EXPECT_TRUE(refused(CumulativeMeasured{}));
  EXPECT_FALSE(apply(ChainState{}, {1, "", 0, CumulativeMeasured{}}).has_value());
}

TEST(ChainJournalTest, EveryEventComesBackFromItsLine) {
  CumulativeMeasured cumulative{"PyTorch", {{0, {{2, 1.9, 2.1}, Comparison::kFaster, 12}}}, ""};
  GenerationEnded nothing;
  nothing.why = "a \"quoted\"\nline";
  const std::vector<ChainEvent> events = {
      ChainCreated{"norm", "tasks/norm", "digest", 1.05, 3, "forge"},
      GenerationOpened{0, "norm", "tasks/norm", "norm_aaaa"},
      ended(0, 2, 1.9),
      nothing,
      ProblemWritten{1, "norm-g1", "tasks/norm-g1", "digest"},
      cumulative,
      ChainFinished{ChainEnd::kCapReached, "asked for"}};
  std::string text;
  int number = 0;
  for (const ChainEvent& event : events) text += chain_line({++number, "at", 1.5, event}) + "\n";
  const auto journal = parse_chain_journal(text, "chain.jsonl");
  ASSERT_TRUE(journal) << journal.error().message();
  ASSERT_EQ(journal->entries.size(), events.size());
  std::string again;
  for (const ChainEntry& entry : journal->entries) again += chain_line(entry) + "\n";
  EXPECT_EQ(again, text);
}

}  // namespace
}  // namespace forge
