#include "run/tree.h"

#include <gtest/gtest.h>

#include "temporary_directory.h"

namespace forge {
namespace {

// With the real git: what it does to files is the point.
class OperatorTreeTest : public ::testing::Test {
 protected:
  OperatorTreeTest() { write("one"); }

  void write(std::string_view text) {
    ASSERT_TRUE(fs_->write_atomic(folder_.path() / "kernel.cpp", text));
  }
  std::string kernel() { return *fs_->read(folder_.path() / "kernel.cpp"); }

  TemporaryDirectory folder_;
  std::unique_ptr<Fs> fs_ = make_real_fs();
  std::unique_ptr<ProcessRunner> processes_ = make_real_process_runner();
  OperatorTree tree_{folder_.path(), *fs_, *processes_};
};

TEST_F(OperatorTreeTest, RollsBackToAnyCommitAndDropsWhatWasNotCommitted) {
  const auto first = tree_.create("first");
  ASSERT_TRUE(first) << first.error().message();
  write("two");
  const auto second = tree_.commit("second: \"quoted\"\n-x");
  ASSERT_TRUE(second) << second.error().message();
  EXPECT_NE(*first, *second);
  EXPECT_EQ(*tree_.current_commit(), *second);

  write("three");
  ASSERT_TRUE(fs_->write_atomic(folder_.path() / "junk", "x"));
  ASSERT_TRUE(tree_.keep("round-0002", *second));
  ASSERT_TRUE(tree_.reset_to(*first));
  EXPECT_EQ(kernel(), "one");
  EXPECT_FALSE(fs_->exists(folder_.path() / "junk"));
  EXPECT_EQ(*tree_.current_commit(), *first);
  ASSERT_TRUE(tree_.reset_to("refs/forge/round-0002"));
  EXPECT_EQ(kernel(), "two");
}

TEST_F(OperatorTreeTest, GoesOnWhereAKilledGitLeftAnyOfItsLocks) {
  const auto first = tree_.create("first");
  ASSERT_TRUE(first);
  for (const auto* const name :
       {"index.lock", "HEAD.lock", "config.lock", "refs/heads/main.lock", "refs/forge/best.lock"}) {
    const auto lock = folder_.path() / ".git" / name;
    ASSERT_TRUE(fs_->make_directories(lock.parent_path()));
    ASSERT_TRUE(fs_->write_atomic(lock, ""));
    EXPECT_TRUE(tree_.reset_to(*first)) << name;
    ASSERT_TRUE(fs_->write_atomic(lock, ""));
    EXPECT_TRUE(tree_.commit("second")) << name;
    ASSERT_TRUE(fs_->write_atomic(lock, ""));
    EXPECT_TRUE(tree_.keep("best", *first)) << name;
  }
}

TEST_F(OperatorTreeTest, AnUnknownCommitIsAnErrorThatSaysWhatGitSaid) {
  ASSERT_TRUE(tree_.create("first"));
  const auto status = tree_.reset_to("0123456789012345678901234567890123456789");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message().find("fatal"), std::string::npos);
}

}  // namespace
}  // namespace forge
