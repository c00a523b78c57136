#include "sys/lock_owner.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "temporary_directory.h"

namespace forge {
namespace {

constexpr std::string_view kLocks =
    "1: POSIX  ADVISORY  WRITE 11 fe:00:700 0 EOF\n"
    "2: FLOCK  ADVISORY  READ  12 fe:00:700 0 EOF\n"
    "2: -> FLOCK  ADVISORY  WRITE 13 fe:00:700 0 EOF\n"
    "3: FLOCK  ADVISORY  WRITE 14 fe:00:70 0 EOF\n"
    "nonsense\n"
    "4: FLOCK  ADVISORY  WRITE 15 fe:00:700 0 EOF\n"
    "5: FLOCK  ADVISORY  WRITE 0 fe:00:800 0 EOF\n";

TEST(LockOwner, IsWhoHoldsTheWholeFileForWriting) {
  EXPECT_EQ(lock_owner_in(kLocks, 700), 15);
  EXPECT_EQ(lock_owner_in(kLocks, 70), 14);
}

TEST(LockOwner, OneThatCannotBeSeenIsNone) {
  EXPECT_EQ(lock_owner_in(kLocks, 800), std::nullopt);
  EXPECT_EQ(lock_owner_in(kLocks, 7), std::nullopt);
  EXPECT_EQ(lock_owner_in("", 700), std::nullopt);
}

TEST(LockOwner, OfARealLockIsThisProcessWhileItIsHeld) {
  const TemporaryDirectory folder;
  const auto fs = make_real_fs();
  const Path path = folder.path() / "a.lock";
  EXPECT_EQ(lock_owner(path), std::nullopt) << "there is no such file";
  {
    const auto lock = fs->try_lock(path, "the test");
    ASSERT_TRUE(lock);
    EXPECT_EQ(lock_owner(path), ::getpid());
  }
  EXPECT_EQ(lock_owner(path), std::nullopt);
}

}  // namespace
}  // namespace forge
