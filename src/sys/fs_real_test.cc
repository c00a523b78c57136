// What only a real file system can show: permissions, full disks, crashed holders of locks.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/fs.h"
#include "temporary_directory.h"

namespace forge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Root may write everywhere, so it is nobody for a while.
class Unprivileged {
 public:
  explicit Unprivileged(const Path& owned) : euid_(::geteuid()) {
    if (euid_ != 0) return;
    EXPECT_EQ(::chown(owned.c_str(), kNobody, kNobody), 0);
    EXPECT_EQ(::seteuid(kNobody), 0);
  }
  ~Unprivileged() { EXPECT_EQ(::seteuid(euid_), 0); }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  uid_t euid_;
};

class RealFsTest : public testing::Test {
 protected:
  TemporaryDirectory directory_;
  Path root_ = directory_.path();
  std::unique_ptr<Fs> fs_ = make_real_fs();
};

TEST_F(RealFsTest, AFullDiskIsOneClearLineWithARemedy) {
  auto full = fs_->open_append("/dev/full");
  ASSERT_TRUE(full.has_value());
  const auto status = (*full)->append("x");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(status.error().message(), HasSubstr("/dev/full: the disk is full; free some space"));
}

TEST_F(RealFsTest, AReadOnlyDirectoryIsAClearErrorAndTheOldFileStays) {
  const Unprivileged unprivileged(root_);
  ASSERT_TRUE(fs_->write_atomic(root_ / "file", "old").has_value());
  ASSERT_TRUE(fs_->set_permissions(root_, 0555).has_value());
  const auto status = fs_->write_atomic(root_ / "file", "new");
  ASSERT_TRUE(fs_->set_permissions(root_, 0755).has_value());
  ASSERT_FALSE(status.has_value());
  EXPECT_THAT(status.error().message(), HasSubstr("permission denied; check the owner"));
  EXPECT_EQ(*fs_->read(root_ / "file"), "old");
}

TEST_F(RealFsTest, AReadOnlyFileSystemIsAClearError) {
  const auto status = fs_->write_atomic("/proc/sys/kernel/none", "x");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message().find('\n'), std::string::npos);
}

// With RLIMIT_FSIZE a write stops in the middle, as on a full disk.
TEST_F(RealFsTest, AWriteThatFailsHalfwayLeavesTheOldFileAndNoTemporaryOne) {
  ASSERT_TRUE(fs_->write_atomic(root_ / "file", "old").has_value());
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto status = fs_->write_atomic(root_ / "file", std::string(5000, 'x'));
    ::_exit(!status && status.error().cause.find("beyond the allowed size") != std::string::npos
                ? 0
                : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(*fs_->read(root_ / "file"), "old");
  EXPECT_THAT(*fs_->list(root_), ElementsAre("file"));
}

TEST_F(RealFsTest, AnAppendThatFailsHalfwayTakesItsHalfBack) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto file = fs_->open_append(root_ / "log");
    const bool first = (*file)->append("whole record\n").has_value();
    const bool second = (*file)->append(std::string(5000, 'x')).has_value();
    const bool third = (*file)->append("another\n").has_value();
    ::_exit(first && !second && third ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(*fs_->read(root_ / "log"), "whole record\nanother\n");
}

TEST_F(RealFsTest, ALockIsFreeAgainWhenItsHolderWasKilled) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const auto lock = fs_->try_lock(root_ / "lock", "the child");
    if (::write(ready[1], "x", 1) == 1) ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_THAT(fs_->try_lock(root_ / "lock", "us").error().message(), HasSubstr("the child"));
  ::kill(pid, SIGKILL);
  ASSERT_EQ(::waitpid(pid, nullptr, 0), pid);
  EXPECT_TRUE(fs_->try_lock(root_ / "lock", "us").has_value());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(RealFsTest, CopyTreeKeepsExecutableBitsAndRefusesSpecialFiles) {
  ASSERT_TRUE(fs_->make_directories(root_ / "from").has_value());
  ASSERT_TRUE(fs_->write_atomic(root_ / "from" / "script", "#!/bin/sh\n").has_value());
  ASSERT_TRUE(fs_->set_permissions(root_ / "from" / "script", 0755).has_value());
  ASSERT_TRUE(fs_->copy_tree(root_ / "from", root_ / "to").has_value());
  EXPECT_EQ(::access((root_ / "to" / "script").c_str(), X_OK), 0);
  ASSERT_EQ(::mkfifo((root_ / "from" / "pipe").c_str(), 0600), 0);
  const auto status = fs_->copy_tree(root_ / "from", root_ / "again");
  ASSERT_FALSE(status.has_value());
  EXPECT_THAT(status.error().message(), HasSubstr("from/pipe: it is no regular file"));
}

TEST_F(RealFsTest, ListingAFolderThatContainsItselfByALinkEndsWithAnError) {
  ASSERT_TRUE(fs_->make_directories(root_ / "a").has_value());
  std::filesystem::create_directory_symlink(root_, root_ / "a" / "loop");
  const auto files = list_files_recursively(*fs_, root_);
  ASSERT_FALSE(files.has_value());
  EXPECT_FALSE(files.error().remedy.empty() && files.error().cause.empty());
}

TEST_F(RealFsTest, NothingLeavesADescriptorOpen) {
  const auto open_descriptors = [&] { return fs_->list("/proc/self/fd")->size(); };
  const auto before = open_descriptors();
  ASSERT_TRUE(fs_->write_atomic(root_ / "file", "x").has_value());
  ASSERT_TRUE(fs_->copy_tree(root_ / "file", root_ / "copy").has_value());
  ASSERT_TRUE(fs_->truncate(root_ / "file", 0).has_value());
  ASSERT_TRUE(fs_->try_lock(root_ / "lock", "x").has_value());
  ASSERT_TRUE(fs_->open_append(root_ / "log").has_value());
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(RealFsTest, LooksAtTheEntryItselfAndTellsLinksOfBothKindsFromFiles) {
  ASSERT_TRUE(fs_->write_atomic(root_ / "file", "four"));
  ASSERT_TRUE(fs_->make_directories(root_ / "folder"));
  ASSERT_TRUE(fs_->make_link(root_ / "file", root_ / "link"));
  ASSERT_TRUE(fs_->make_link("nowhere", root_ / "dangling"));
  ASSERT_TRUE(fs_->write_atomic(root_ / "shared", ""));
  ASSERT_EQ(::link((root_ / "shared").c_str(), (root_ / "another name").c_str()), 0);
  ASSERT_EQ(::mkfifo((root_ / "pipe").c_str(), 0600), 0);
  const std::pair<const char*, FileKind> expected[] = {
      {"file", FileKind::kFile},     {"folder", FileKind::kFolder}, {"link", FileKind::kLink},
      {"dangling", FileKind::kLink}, {"shared", FileKind::kShared}, {"pipe", FileKind::kOther},
      {"none", FileKind::kNothing}};
  for (const auto& [name, kind] : expected) {
    EXPECT_EQ(fs_->look_at(root_ / name).kind, kind) << name;
  }
  EXPECT_EQ(fs_->look_at(root_ / "file").bytes, 4u);
  EXPECT_FALSE(fs_->make_link("x", root_ / "file")) << "something is there";
}

TEST_F(RealFsTest, ResolvesLinksAndKeepsWhatDoesNotExist) {
  ASSERT_TRUE(fs_->make_directories(root_ / "folder"));
  ASSERT_TRUE(fs_->make_link("folder", root_ / "link"));
  const Path real = *fs_->resolve(root_ / "folder");
  EXPECT_EQ(*fs_->resolve(root_ / "link"), real);
  EXPECT_EQ(*fs_->resolve(root_ / "link" / "none" / ".." / "x"), real / "x");
  EXPECT_TRUE(fs_->resolve("relative")->is_absolute());
}

}  // namespace
}  // namespace forge
