// What every file system of ours must do, asked of the real one and of the fake.
#include "sys/fs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "sys/fs_fake.h"
#include "temporary_directory.h"

namespace forge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

enum class FsKind { kReal, kFake };

class FsContract : public testing::TestWithParam<FsKind> {
 protected:
  FsContract() {
    if (GetParam() == FsKind::kReal) {
      fs_ = make_real_fs();
      root_ = directory_.path();
    } else {
      fs_ = std::make_unique<FakeFs>();
      root_ = "/root";
      EXPECT_TRUE(fs_->make_directories(root_).has_value());
    }
  }

  void write(const Path& path, std::string_view bytes) {
    const auto status = fs_->write_atomic(root_ / path, bytes);
    ASSERT_TRUE(status.has_value()) << status.error().message();
  }
  std::string read(const Path& path) {
    const auto bytes = fs_->read(root_ / path);
    return bytes ? *bytes : bytes.error().message();
  }
  std::vector<std::string> names(const Path& path = "") {
    const auto listed = fs_->list(root_ / path);
    return listed ? *listed : std::vector<std::string>{listed.error().message()};
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Fs> fs_;
  Path root_;
};

INSTANTIATE_TEST_SUITE_P(RealAndFake, FsContract, testing::Values(FsKind::kReal, FsKind::kFake),
                         [](const auto& kind) {
                           return kind.param == FsKind::kReal ? "Real" : "Fake";
                         });

TEST_P(FsContract, WriteAtomicCreatesReplacesAndLeavesNothingElseBehind) {
  write("file", "one");
  write("file", std::string("t\0wo", 4));
  EXPECT_EQ(read("file"), std::string("t\0wo", 4));
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_P(FsContract, WriteAtomicNeedsAnExistingDirectory) {
  const auto status = fs_->write_atomic(root_ / "none" / "file", "x");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(status.error().message(), HasSubstr("none/file: there is no such file"));
}

TEST_P(FsContract, ReadingWhatIsMissingOrADirectoryIsAnError) {
  EXPECT_EQ(fs_->read(root_ / "none").error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(read(""), HasSubstr("it is a directory"));
  EXPECT_FALSE(fs_->exists(root_ / "none"));
  EXPECT_TRUE(fs_->is_directory(root_));
  EXPECT_FALSE(fs_->list(root_ / "none").has_value());
}

TEST_P(FsContract, AppendingGoesToTheEndOfWhatIsThere) {
  write("log", "a\n");
  auto file = fs_->open_append(root_ / "log");
  ASSERT_TRUE(file.has_value());
  EXPECT_TRUE((*file)->append("b\n").has_value());
  EXPECT_TRUE((*file)->append("c\n").has_value());
  EXPECT_TRUE((*file)->sync().has_value());
  EXPECT_EQ(read("log"), "a\nb\nc\n");
  EXPECT_TRUE(fs_->open_append(root_ / "new").has_value());
  EXPECT_EQ(read("new"), "");
}

TEST_P(FsContract, TruncateCutsAndNeverExtends) {
  write("log", "0123456789");
  EXPECT_TRUE(fs_->truncate(root_ / "log", 4).has_value());
  EXPECT_EQ(read("log"), "0123");
  const auto status = fs_->truncate(root_ / "log", 5);
  ASSERT_FALSE(status.has_value());
  EXPECT_THAT(status.error().message(), HasSubstr("it has only 4 bytes, not 5"));
  EXPECT_FALSE(fs_->truncate(root_ / "none", 0).has_value());
}

TEST_P(FsContract, DirectoriesAreMadeWithTheirParentsAndMakingThemAgainIsHarmless) {
  EXPECT_TRUE(fs_->make_directories(root_ / "a" / "b" / "c").has_value());
  EXPECT_TRUE(fs_->make_directories(root_ / "a" / "b" / "c").has_value());
  EXPECT_TRUE(fs_->is_directory(root_ / "a" / "b" / "c"));
  write("file", "x");
  EXPECT_FALSE(fs_->make_directories(root_ / "file").has_value());
  EXPECT_FALSE(fs_->make_directories(root_ / "file" / "below").has_value());
}

TEST_P(FsContract, ListIsSortedAndKnowsOnlyDirectChildren) {
  write("b", "");
  write("a", "");
  ASSERT_TRUE(fs_->make_directories(root_ / "c" / "d").has_value());
  EXPECT_THAT(names(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(names("c"), ElementsAre("d"));
  EXPECT_THAT(names("c/d"), IsEmpty());
}

TEST_P(FsContract, RemoveAllRemovesTreesAndForgivesWhatIsMissing) {
  ASSERT_TRUE(fs_->make_directories(root_ / "a" / "b").has_value());
  write("a/b/file", "x");
  write("ab", "stays");
  EXPECT_TRUE(fs_->remove_all(root_ / "a").has_value());
  EXPECT_TRUE(fs_->remove_all(root_ / "a").has_value());
  EXPECT_THAT(names(), ElementsAre("ab"));
}

TEST_P(FsContract, RenameMovesTreesAndReplacesFilesButNotFullDirectories) {
  ASSERT_TRUE(fs_->make_directories(root_ / "result.tmp" / "logs").has_value());
  write("result.tmp/logs/build", "text");
  ASSERT_TRUE(fs_->rename(root_ / "result.tmp", root_ / "result").has_value());
  EXPECT_EQ(read("result/logs/build"), "text");
  EXPECT_THAT(names(), ElementsAre("result"));
  ASSERT_TRUE(fs_->make_directories(root_ / "other").has_value());
  EXPECT_FALSE(fs_->rename(root_ / "other", root_ / "result").has_value());
  EXPECT_FALSE(fs_->rename(root_ / "none", root_ / "x").has_value());
  write("one", "1");
  write("two", "2");
  EXPECT_TRUE(fs_->rename(root_ / "one", root_ / "two").has_value());
  EXPECT_EQ(read("two"), "1");
}

TEST_P(FsContract, CopyTreeCopiesFilesAndDirectories) {
  ASSERT_TRUE(fs_->make_directories(root_ / "from" / "sub").has_value());
  write("from/a", "1");
  write("from/sub/b", "2");
  ASSERT_TRUE(fs_->copy_tree(root_ / "from", root_ / "to").has_value());
  EXPECT_EQ(read("to/a"), "1");
  EXPECT_EQ(read("to/sub/b"), "2");
  EXPECT_EQ(read("from/a"), "1");
  const auto files = list_files_recursively(*fs_, root_ / "to");
  ASSERT_TRUE(files.has_value());
  EXPECT_THAT(*files, ElementsAre(Path("a"), Path("sub/b")));
  EXPECT_EQ(fs_->copy_tree(root_ / "none", root_ / "x").error().kind, ErrorKind::kNotFound);
}

TEST_P(FsContract, CopyTreeRefusesLinks) {
  ASSERT_TRUE(fs_->make_directories(root_ / "from").has_value());
  if (GetParam() == FsKind::kReal) {
    std::filesystem::create_symlink("/etc/passwd", root_ / "from" / "link");
  } else {
    static_cast<FakeFs&>(*fs_).add_link(root_ / "from" / "link");
  }
  const auto status = fs_->copy_tree(root_ / "from", root_ / "to");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().kind, ErrorKind::kInvalidInput);
  EXPECT_THAT(status.error().message(), HasSubstr("from/link: it is a symbolic link"));
}

TEST_P(FsContract, ALockExcludesTheSecondAndNamesItsHolder) {
  const Path path = root_ / "lock";
  auto first = fs_->try_lock(path, "forge run, process 17");
  ASSERT_TRUE(first.has_value());
  const auto second = fs_->try_lock(path, "someone else");
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().kind, ErrorKind::kBusy);
  EXPECT_THAT(second.error().message(), HasSubstr("held by forge run, process 17"));
  first->reset();
  EXPECT_TRUE(fs_->try_lock(path, "a third").has_value());
  EXPECT_EQ(read("lock"), "a third");
}

}  // namespace
}  // namespace forge
