#include "sys/fs_fake.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

Error disk_full() { return Error{ErrorKind::kInfrastructure, "", "", "the disk is full", ""}; }

TEST(FakeFs, APowerCutTakesWhatWasAppendedSinceTheLastSync) {
  FakeFs fs;
  auto file = fs.open_append("log");
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE((*file)->append("synced ").has_value());
  ASSERT_TRUE((*file)->sync().has_value());
  ASSERT_TRUE((*file)->append("lost").has_value());
  EXPECT_EQ(*fs.read("log"), "synced lost");
  fs.forget_unsynced();
  EXPECT_EQ(*fs.read("log"), "synced ");
}

TEST(FakeFs, APowerCutBringsBackWhatWasRemovedAndNotSynced) {
  FakeFs fs;
  ASSERT_TRUE(fs.write_atomic("file", "x").has_value());
  ASSERT_TRUE(fs.remove_all("file").has_value());
  fs.forget_unsynced();
  EXPECT_EQ(*fs.read("file"), "x");
}

TEST(FakeFs, APowerCutAfterAnyStepOfAWriteLeavesTheOldOrTheNewContent) {
  for (std::uint64_t step = 1; step <= 4; ++step) {
    FakeFs fs;
    fs.add_file("file", "old");
    fs.fail_step(step, FaultSpan::kFromThenOn, disk_full());
    EXPECT_FALSE(fs.write_atomic("file", "new").has_value());
    EXPECT_EQ(*fs.read("file"), step < 4 ? "old" : "new") << step;
    fs.forget_unsynced();
    EXPECT_EQ(*fs.read("file"), "old") << step;
  }
}

TEST(FakeFs, APassingFaultFailsOneStepAndALastingOneAllLaterSteps) {
  FakeFs fs;
  fs.fail_step(2, FaultSpan::kOnce, disk_full());
  auto file = fs.open_append("log");  // steps 1 and 2
  EXPECT_FALSE(file.has_value());
  EXPECT_EQ(file.error().message(), "cannot sync log: the disk is full");
  EXPECT_TRUE(fs.write_atomic("log", "x").has_value());
  fs.fail_step(fs.steps() + 1, FaultSpan::kFromThenOn, disk_full());
  EXPECT_FALSE(fs.write_atomic("log", "y").has_value());
  EXPECT_FALSE(fs.write_atomic("log", "y").has_value());
  fs.clear_faults();
  EXPECT_TRUE(fs.write_atomic("log", "y").has_value());
}

TEST(FakeFs, CountsStepsAndSyncs) {
  FakeFs fs;
  ASSERT_TRUE(fs.write_atomic("file", "x").has_value());
  EXPECT_EQ(fs.steps(), 4u);
  EXPECT_EQ(fs.syncs(), 2u);
  ASSERT_TRUE(fs.read("file").has_value());
  EXPECT_EQ(fs.steps(), 4u);
}

TEST(FakeFs, LocksOfAProcessThatIsGoneAreFree) {
  FakeFs fs;
  const auto lock = fs.try_lock("lock", "before the crash");
  ASSERT_TRUE(lock.has_value());
  fs.forget_unsynced();
  EXPECT_TRUE(fs.try_lock("lock", "after it").has_value());
}

TEST(FakeFs, RemembersPermissions) {
  FakeFs fs;
  fs.add_file("a/b", "");
  ASSERT_TRUE(fs.set_permissions("a/b", 0555).has_value());
  EXPECT_EQ(fs.permissions("a/b"), 0555u);
  EXPECT_EQ(fs.permissions("none"), std::nullopt);
}

TEST(FakeFs, LooksAtLinksAsARealOneDoes) {
  FakeFs fs;
  fs.add_file("a/file", "four");
  ASSERT_TRUE(fs.make_link("file", "a/link"));
  EXPECT_EQ(fs.look_at("a/file").bytes, 4u);
  EXPECT_EQ(fs.look_at("a/link").kind, FileKind::kLink);
  EXPECT_EQ(fs.look_at("a").kind, FileKind::kFolder);
  EXPECT_EQ(fs.look_at("none").kind, FileKind::kNothing);
  EXPECT_FALSE(fs.make_link("file", "a/file"));
  EXPECT_FALSE(fs.make_link("file", "none/link"));
}

}  // namespace
}  // namespace forge
