#include "sys/disk_use.h"

#include <gtest/gtest.h>

#include <fstream>

#include "temporary_directory.h"

namespace forge {
namespace {

TEST(DiskUse, CountsBlocksOfEverythingBelow) {
  const TemporaryDirectory folder;
  const std::uint64_t empty = disk_use(folder.path());
  std::filesystem::create_directories(folder.path() / "a/b");
  std::ofstream(folder.path() / "a/b/file") << std::string(100'000, 'x');
  EXPECT_GE(disk_use(folder.path()), empty + 100'000);
  EXPECT_GE(disk_use(folder.path() / "a/b/file"), 100'000u);
}

TEST(DiskUse, DoesNotFollowLinksAndIsNothingWhereNothingIs) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path() / "big") << std::string(1'000'000, 'x');
  std::filesystem::create_directories(folder.path() / "links");
  std::filesystem::create_symlink(folder.path() / "big", folder.path() / "links/big");
  EXPECT_LT(disk_use(folder.path() / "links"), 100'000u);
  EXPECT_EQ(disk_use(folder.path() / "none"), 0u);
}

}  // namespace
}  // namespace forge
