#include "cli/status_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;

ListedRun run(const std::string& name, const std::string& at, std::optional<int> driver = {}) {
  ListedRun out;
  out.name = name;
  out.summary.stage = "forge";
  out.summary.last_event_at = at;
  out.driver = driver;
  return out;
}

TEST(StatusText, ADrivenRunTellsMilestoneRowVerdictAndWhatIsLeft) {
  ListedRun driven = run("norm_7k2m", "2026-01-01T00:00:00Z", 42);
  driven.summary.milestone = "M1";
  driven.summary.row = "D1.2";
  driven.summary.rounds = 7;
  driven.summary.last_verdict = "wrong";
  driven.summary.ratio = Interval{2.5, 2.25, 2.75};
  driven.elapsed_s = 61;
  driven.left_s = 3600;
  EXPECT_EQ(run_line(driven),
            "norm_7k2m                    forge         7 rounds     1:01  2.50x [2.25, 2.75] not "
            "confirmed     running (process 42), M1, row D1.2, last wrong, at most 1:00:00 left");
}

TEST(StatusText, ARunThatNoOneDrivesSaysHowToGoOn) {
  EXPECT_THAT(run_line(run("norm_7k2m", "")), HasSubstr("not running: forge run norm_7k2m"));
}

TEST(StatusText, AWatchShowsDrivenRunsFirstThenTheLatestAndHowManyMoreThereAre) {
  const std::vector<ListedRun> runs = {
      run("a_0001", "2026-01-01T00:00:03Z"), run("b_0001", "2026-01-01T00:00:02Z"),
      run("c_0001", "2026-01-01T00:00:01Z", 7), run("d_0001", "2026-01-01T00:00:04Z")};
  EXPECT_THAT(watched_lines(runs, 8),
              ElementsAre(HasSubstr("c_0001"), "    running (process 7)", HasSubstr("d_0001"), _,
                          HasSubstr("a_0001"), _, HasSubstr("b_0001"), _));
  EXPECT_THAT(watched_lines(runs, 7),
              ElementsAre(HasSubstr("c_0001"), _, HasSubstr("d_0001"), _, HasSubstr("a_0001"), _,
                          "1 more runs; forge status lists all"));
  EXPECT_THAT(watched_lines(runs, 4),
              ElementsAre(HasSubstr("c_0001"), _, "3 more runs; forge status lists all"));
  EXPECT_THAT(watched_lines(runs, 0), ElementsAre("4 more runs; forge status lists all"));
}

}  // namespace
}  // namespace forge
