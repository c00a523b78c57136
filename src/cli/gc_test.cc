#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/exit_code.h"
#include "cli/subcommands.h"
#include "fakes/test_context.h"
#include "run/garbage.h"

namespace forge {
namespace {

using testing::HasSubstr;

class Gc : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(test_.world.create()); }
  std::string gc(const GcOptions& options) {
    test_.out.str("");
    auto context = test_.context();
    EXPECT_EQ(run_gc(options, context).value(), kExitOk);
    return test_.out.str();
  }
  std::size_t garbage_left() {
    std::size_t found = 0;
    for (const Path& path : garbage(test_.world.state(), RunPaths(test_.world.run))) {
      if (test_.world.fs.exists(path)) ++found;
    }
    return found;
  }

  TestContext test_;
};

TEST_F(Gc, AFinishedRunLosesNothingButItsGarbage) {
  const std::string before = essence(test_.world.drive_to_end());
  ASSERT_GT(garbage_left(), 0u);
  const std::string told = gc({"", GcMode::kDryRun, GcCache::kKeep});
  EXPECT_THAT(told, HasSubstr("would be freed"));
  EXPECT_GT(garbage_left(), 0u) << "a dry run removes nothing";
  EXPECT_THAT(gc({}), HasSubstr("total: "));
  EXPECT_EQ(garbage_left(), 0u);
  EXPECT_EQ(essence(test_.world.drive_to_end()), before);
  EXPECT_THAT(gc({}), HasSubstr("total: 0 B"));
}

TEST_F(Gc, ARunThatGoesOnEndsAsItWouldHave) {
  FakeRun other;
  ASSERT_TRUE(other.create());
  const std::string expected = essence(other.drive_to_end());
  // Cleaned whenever a job has been asked for.
  auto judge = test_.world.delivery.judge;
  test_.world.delivery.judge = [&](const auto&... arguments) {
    const auto state = test_.world.state();
    for (const Path& path : garbage(state, RunPaths(test_.world.run))) {
      EXPECT_TRUE(test_.world.fs.remove_all(path));
    }
    return judge(arguments...);
  };
  EXPECT_EQ(essence(test_.world.drive_to_end()), expected);
}

TEST_F(Gc, ARunThatIsDrivenIsLeftAsItIs) {
  const auto lock = test_.world.fs.try_lock(RunPaths(test_.world.run).lock(), "forge run, pid 42");
  ASSERT_TRUE(lock);
  EXPECT_THAT(gc({}), HasSubstr("left as it is"));
}

TEST_F(Gc, ADamagedRunDoesNotKeepTheOthersFromBeingCleaned) {
  test_.world.drive_to_end();
  test_.world.fs.add_file(".artifacts/aaa_0000/journal.jsonl", "nonsense\nnonsense\n");
  const std::string told = gc({});
  EXPECT_THAT(told, HasSubstr("aaa_0000: left as it is"));
  EXPECT_EQ(garbage_left(), 0u);
}

}  // namespace
}  // namespace forge
