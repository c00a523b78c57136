#include "sys/making_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/unfinished.h"
#include "temporary_directory.h"

namespace forge {
namespace {

using testing::IsEmpty;

TEST(MakingFolder, IsRemovedWithItsContentAndItsLock) {
  const TemporaryDirectory directory;
  const auto fs = make_real_fs();
  {
    const auto making = MakingFolder::open(*fs, directory.path(), "the test");
    ASSERT_TRUE(making) << making.error().message();
    ASSERT_TRUE(fs->write_atomic(making->path() / "file", "text"));
  }
  EXPECT_THAT(fs->list(directory.path()).value(), IsEmpty());
}

TEST(MakingFolder, ClearsWhatKilledMakersLeftAndNothingOfLivingOnes) {
  const TemporaryDirectory directory;
  const auto fs = make_real_fs();
  const auto living = MakingFolder::open(*fs, directory.path(), "the test");
  ASSERT_TRUE(living) << living.error().message();
  ASSERT_TRUE(fs->make_directories(directory.path() / "dead"));
  ASSERT_TRUE(fs->write_atomic(directory.path() / "dead" / "file", "text"));
  ASSERT_TRUE(fs->write_atomic(directory.path() / "dead.lock", "somebody"));
  const auto next = MakingFolder::open(*fs, directory.path(), "the test");
  ASSERT_TRUE(next) << next.error().message();
  EXPECT_FALSE(fs->exists(directory.path() / "dead"));
  EXPECT_FALSE(fs->exists(directory.path() / "dead.lock"));
  EXPECT_TRUE(fs->exists(living->path()));
}

TEST(Unfinished, KnowsTheNamesOfItsOwnMakingOnly) {
  EXPECT_TRUE(is_unfinished_name(unfinished_name("kernel.cpp", 4711, 3)));
  for (const char* name : {"kernel.cpp", ".gitignore", "a.1.2.tmp", ".a.1.tmp", ".a.b.2.tmp",
                           ".1.2.tmp", ".tmp", "result.tmp"}) {
    EXPECT_FALSE(is_unfinished_name(name)) << name;
  }
}

TEST(Unfinished, IsClearedAtAnyDepthButNotInGit) {
  const TemporaryDirectory directory;
  const auto fs = make_real_fs();
  for (const char* file : {"a/b/.x.1.2.tmp", "a/b/x", ".git/.x.1.2.tmp"}) {
    const Path path = directory.path() / file;
    ASSERT_TRUE(fs->make_directories(path.parent_path()));
    ASSERT_TRUE(fs->write_atomic(path, "text"));
  }
  ASSERT_TRUE(clear_unfinished(*fs, directory.path()));
  EXPECT_THAT(list_files_recursively(*fs, directory.path()).value(),
              testing::ElementsAre(".git/.x.1.2.tmp", "a/b/x"));
}

}  // namespace
}  // namespace forge
