#include "run/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/fs_fake.h"

namespace forge {
namespace {

using ::testing::ElementsAre;

TEST(RunPaths, NumbersAreReadBackAsTheyWereFormed) {
  for (const int number : {1, 42, 9999, 10000}) {
    EXPECT_EQ(parse_numbered(numbered(number)), number);
  }
  for (const auto* text : {"", "0000", "12", "007", "-001", "0001x"}) {
    EXPECT_EQ(parse_numbered(text), std::nullopt) << text;
  }
}

TEST(RunPaths, NamesOfRunsAreReadBackAsTheyWereFormed) {
  const RunName name{"rms_norm", run_id(123456789)};
  EXPECT_EQ(parse_run_name(format_run_name(name)), name);
  for (const auto* text : {"norm", "_abcd", "norm_ABCD", "norm_abc", "norm_abcde"}) {
    EXPECT_EQ(parse_run_name(text), std::nullopt) << text;
  }
}

TEST(RunPaths, EverythingLiesInsideTheRun) {
  const RunPaths paths("r");
  EXPECT_EQ(paths.milestone(2, "M0"), "r/milestones/v2/M0.toml");
  EXPECT_EQ(paths.turn_workspace(7), "r/turns/0007/view/work");
  EXPECT_EQ(paths.job_candidate(12), "r/jobs/0012/bundle/arms/candidate/kernel.cpp");
}

TEST(FindRuns, ListsDirectoriesThatHoldAJournal) {
  FakeFs fs;
  EXPECT_TRUE(find_runs(fs, ".artifacts")->empty());
  fs.add_file(".artifacts/norm_abcd/journal.jsonl", "");
  fs.add_file(".artifacts/norm_2345/journal.jsonl", "");
  fs.add_file(".artifacts/norm_wxyz/half-made", "");
  fs.add_file(".artifacts/other/journal.jsonl", "");
  EXPECT_THAT(*find_runs(fs, ".artifacts"),
              ElementsAre(Path(".artifacts/norm_2345"), Path(".artifacts/norm_abcd")));
}

}  // namespace
}  // namespace forge
