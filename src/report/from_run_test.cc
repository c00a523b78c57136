#include "report/from_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/fake_run.h"
#include "report/render.h"

namespace forge {
namespace {

using testing::HasSubstr;

TEST(ReportFromRun, OfARunThatWasOnlyMadeHasStagesAndNoNumbers) {
  FakeRun world;
  ASSERT_TRUE(world.create());
  const auto model = read_report(world.fs, world.run);
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(model->stages.front().status, "now");
  EXPECT_EQ(model->stages.back().status, "to come");
  EXPECT_FALSE(model->confirmation.has_value());
  EXPECT_TRUE(model->rounds.empty());
}

TEST(ReportFromRun, OfAFinishedRunQuotesTheConfirmationAndListsEveryRound) {
  FakeRun world;
  ASSERT_TRUE(world.create());
  const State state = world.drive_to_end();
  const auto model = read_report(world.fs, world.run);
  ASSERT_TRUE(model) << model.error().message();
  ASSERT_TRUE(model->confirmation.has_value());
  const Confirmed* confirmed = state.confirmation();
  ASSERT_NE(confirmed, nullptr);
  EXPECT_EQ(model->confirmation->overall.ratio.point, confirmed->ratios.at(0).measured.ratio.point);
  EXPECT_EQ(model->rounds.size(), state.rounds.size());
  EXPECT_EQ(model->best_round, state.best()->started.round);
  ASSERT_EQ(model->sweeps.size(), 1u);
  EXPECT_EQ(model->sweeps[0].combinations, state.sweeps[0].combinations());
  EXPECT_GT(model->sweeps[0].failed, 0) << "kUnroll = 8 is wrong";
  EXPECT_EQ(model->sweeps[0].prices.size(), 3u);
  EXPECT_THAT(render_markdown(*model), HasSubstr("| kVec | 4 | "));
  EXPECT_THAT(render_summary(*model), HasSubstr(" in rounds, "));
  EXPECT_FALSE(model->best_files.empty());
  EXPECT_FALSE(model->milestones.empty());
  EXPECT_FALSE(model->milestones.front().title.empty());
  EXPECT_THAT(render_summary(*model), HasSubstr("beats the reference"));
  EXPECT_THAT(render_markdown(*model),
              HasSubstr("| the same twice | 1 of 1 the same bit by bit |"));
}

TEST(ReportFromRun, AConfirmationThatCameToNothingIsNoErrorAndQuotesNoRatio) {
  FakeRun world;
  ASSERT_TRUE(world.create());
  State state = world.drive_to_end();
  // The same journal, but with the confirmation's outcome replaced.
  const RunPaths paths(world.run);
  Journal journal = read_journal(world.fs, paths.journal()).value();
  std::string text;
  for (JournalEntry& entry : journal.entries) {
    if (auto* confirmed = std::get_if<Confirmed>(&entry.event)) {
      confirmed->verdict = Verdict::kNoVerdict;
      confirmed->reason = "the worker died";
      confirmed->ratios.clear();
      ASSERT_TRUE(world.fs.remove_all(paths.job_result(confirmed->job)));
    }
    text += journal_line(entry) + "\n";
  }
  world.fs.add_file(paths.journal(), text);
  const auto model = read_report(world.fs, world.run);
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_FALSE(model->confirmation.has_value());
  EXPECT_THAT(render_summary(*model), HasSubstr("nothing was confirmed"));
}

}  // namespace
}  // namespace forge
