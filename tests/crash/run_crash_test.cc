// Kills a run between any two steps that reach the disk, and cuts its journal at any byte. Whatever
// happens, `forge run` on the same directory goes on to the same end, and no round is lost or
// counted twice.
#include <gtest/gtest.h>

#include "fakes/fake_run.h"
#include "run/journal.h"

namespace forge {
namespace {

struct Undisturbed {
  std::string essence;
  std::string journal;
  std::uint64_t first_step = 0;  // of the driver, after the run was created
  std::uint64_t last_step = 0;
};

Undisturbed undisturbed_run() {
  FakeRun world;
  EXPECT_TRUE(world.create());
  Undisturbed result;
  result.first_step = world.fs.steps() + 1;
  result.essence = essence(world.drive_to_end());
  result.last_step = world.fs.steps();
  result.journal = *world.fs.read(RunPaths(world.run).journal());
  return result;
}

enum class After { kKill, kPowerCut };

// The driver dies at step `step`, then a new one goes on.
std::string essence_after_death_at(std::uint64_t step, After after) {
  FakeRun world;
  EXPECT_TRUE(world.create());
  world.fs.fail_step(step, FaultSpan::kFromThenOn,
                     Error{ErrorKind::kInfrastructure, "", "", "killed here", ""});
  const auto end = world.drive();
  EXPECT_FALSE(end) << "step " << step << " was not reached";
  world.fs.clear_faults();
  if (after == After::kPowerCut) world.fs.forget_unsynced();
  return essence(world.drive_to_end());
}

TEST(RunCrash, KilledAtAnyStepTheRunGoesOnToTheSameEnd) {
  const auto expected = undisturbed_run();
  for (auto step = expected.first_step; step <= expected.last_step; ++step) {
    ASSERT_EQ(essence_after_death_at(step, After::kKill), expected.essence) << "step " << step;
  }
}

TEST(RunCrash, AfterAPowerCutAtAnyStepTheRunGoesOnToTheSameEnd) {
  const auto expected = undisturbed_run();
  for (auto step = expected.first_step; step <= expected.last_step; ++step) {
    ASSERT_EQ(essence_after_death_at(step, After::kPowerCut), expected.essence) << "step " << step;
  }
}

TEST(RunCrash, OneFailingStepEndsInAnErrorOrIsOvercomeAndNothingIsLost) {
  const auto expected = undisturbed_run();
  for (auto step = expected.first_step; step <= expected.last_step; ++step) {
    FakeRun world;
    ASSERT_TRUE(world.create());
    world.fs.fail_step(step, FaultSpan::kOnce,
                       Error{ErrorKind::kInfrastructure, "", "", "no space left on device", ""});
    const auto end = world.drive();
    world.fs.clear_faults();
    if (!end) {
      EXPECT_NE(end.error().message().find("no space left"), std::string::npos)
          << "step " << step << ": " << end.error().message();
    }
    ASSERT_EQ(essence(world.drive_to_end()), expected.essence) << "step " << step;
  }
}

std::size_t start_of_event(const std::string& journal, int from_the_end) {
  std::size_t at = journal.size();
  for (int i = 0; i < from_the_end; ++i) at = journal.rfind('\n', at - 2) + 1;
  return at;
}

// The run as it ended, but with the first `bytes` of its journal only.
std::string essence_after_cut(const std::string& journal, std::size_t bytes) {
  FakeRun world;
  EXPECT_TRUE(world.create());
  world.drive_to_end();
  world.fs.add_file(RunPaths(world.run).journal(), journal.substr(0, bytes));
  const auto text = essence(world.drive_to_end());
  const bool torn = bytes > 0 && journal[bytes - 1] != '\n';
  EXPECT_EQ(world.progress.notices.empty(), !torn);
  return text;
}

TEST(RunCrash, CutAtAnyByteOfItsLastThreeEventsTheJournalIsCompletedToTheSameEnd) {
  const auto expected = undisturbed_run();
  for (auto bytes = start_of_event(expected.journal, 3); bytes <= expected.journal.size();
       ++bytes) {
    ASSERT_EQ(essence_after_cut(expected.journal, bytes), expected.essence) << bytes << " bytes";
  }
}

TEST(RunCrash, CutBehindOrInsideAnyEventTheJournalIsCompletedToTheSameEnd) {
  const auto expected = undisturbed_run();
  const auto& journal = expected.journal;
  for (auto end = journal.find('\n'); end + 1 < journal.size(); end = journal.find('\n', end + 1)) {
    ASSERT_EQ(essence_after_cut(journal, end + 1), expected.essence) << end + 1 << " bytes";
    ASSERT_EQ(essence_after_cut(journal, end + 20), expected.essence) << end + 20 << " bytes";
  }
}

}  // namespace
}  // namespace forge
