#include "sys/lies_within.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

TEST(LiesWithin, IsTheFolderItselfAndWhatIsBelow) {
  for (const char* path : {"a/b", "a/b/", "a/b/c", "a/./b/c", "a/x/../b/c"}) {
    EXPECT_TRUE(lies_within(path, "a/b")) << path;
    EXPECT_TRUE(lies_within(path, "a/b/")) << path;
  }
  EXPECT_TRUE(lies_within("/usr/include/x.h", "/"));
}

TEST(LiesWithin, IsNotWhatOnlyBeginsAlikeOrClimbsOut) {
  for (const char* path : {"a", "a/bc", "b", "a/b/../c", "/a/b/c"}) {
    EXPECT_FALSE(lies_within(path, "a/b")) << path;
  }
}

TEST(LiesWithin, TheCurrentFolderHoldsRelativePathsThatStayInIt) {
  EXPECT_TRUE(lies_within("a/b", "."));
  EXPECT_TRUE(lies_within(".", "."));
  EXPECT_FALSE(lies_within("../a", "."));
  EXPECT_FALSE(lies_within("/a", "."));
}

}  // namespace
}  // namespace forge
