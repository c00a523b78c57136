#include "cli/run_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/test_context.h"

namespace forge {
namespace {

using testing::HasSubstr;

class RunList : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(test_.world.create()); }
  ListedRun only() {
    auto context = test_.context();
    auto runs = list_runs(context);
    EXPECT_TRUE(runs);
    EXPECT_EQ(runs->size(), 1u);
    return runs->front();
  }
  RunPaths paths() const { return RunPaths(test_.world.run); }

  TestContext test_;
};

TEST_F(RunList, AFinishedRunIsKnownByItsEndingAndItsConfirmedRatio) {
  test_.world.drive_to_end();
  const ListedRun run = only();
  EXPECT_EQ(run.summary.stage, "done");
  EXPECT_FALSE(run.summary.ending.empty());
  EXPECT_TRUE(run.summary.confirmed);
  EXPECT_NEAR(run.summary.ratio.value().point, 4.0, 1e-9);
}

TEST_F(RunList, ASummaryIsKeptAndUsedUntilTheJournalGrows) {
  EXPECT_EQ(only().summary.stage, "prepare");
  const auto kept = test_.world.fs.read(paths().summary());
  ASSERT_TRUE(kept);
  // Shows that the kept one is what is read.
  std::string other = *kept;
  other.replace(other.find("prepare"), 7, "distil!");
  ASSERT_TRUE(test_.world.fs.write_atomic(paths().summary(), other));
  EXPECT_EQ(only().summary.stage, "distil!");
  test_.append_event();
  EXPECT_EQ(only().summary.stage, "judge");
}

TEST_F(RunList, ADiskThatTakesNoSummaryHidesNothing) {
  const Error full{ErrorKind::kInfrastructure, "cannot write", "it", "no space left", ""};
  test_.world.fs.fail_step(test_.world.fs.steps() + 1, FaultSpan::kFromThenOn, full);
  EXPECT_EQ(only().summary.stage, "prepare");
  EXPECT_FALSE(test_.world.fs.exists(paths().summary()));
}

TEST_F(RunList, ADamagedJournalIsSaidWhy) {
  test_.world.fs.add_file(paths().journal(), "nonsense\nnonsense\n");
  const ListedRun run = only();
  EXPECT_EQ(run.summary.stage, "unreadable");
  EXPECT_THAT(run.summary.error, HasSubstr("checksum"));
}

TEST_F(RunList, TimeGoesOnWhileARunIsDriven) {
  test_.world.clock.advance_seconds(30);
  EXPECT_EQ(only().elapsed_s, 0);
  EXPECT_FALSE(only().driver);
  test_.drivers[paths().lock().string()] = 42;
  EXPECT_EQ(only().driver, 42);
  EXPECT_EQ(only().elapsed_s, 30);
}

TEST(RunListWithoutRuns, IsEmpty) {
  TestContext test;
  auto context = test.context();
  EXPECT_TRUE(list_runs(context)->empty());
}

}  // namespace
}  // namespace forge
