#include "cli/status_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(StatusLine, ToAPipeItIsOneLineForEachChangeWithoutControlCharacters) {
  std::ostringstream out;
  {
    StatusLine line(out, Terminal::kPlain);
    line.show("round 1", "0:01");
    line.show("round 1", "0:02");
    line.keep("a notice");
    line.show("round 2", "0:03");
  }
  EXPECT_EQ(out.str(), "round 1\na notice\nround 2\n");
}

TEST(StatusLine, OnATerminalItIsOverwrittenAndClearedAtTheEnd) {
  std::ostringstream out;
  {
    StatusLine line(out, Terminal::kLive);
    line.show("round 1", "0:01");
    line.show("round 1", "0:02");
  }
  EXPECT_THAT(out.str(), HasSubstr("0:02"));
  EXPECT_THAT(out.str(), Not(HasSubstr("\n")));
  EXPECT_TRUE(out.str().ends_with("\r\x1b[K"));
}

TEST(StatusLine, WhatAnAgentSaysCannotMoveTheCursor) {
  std::ostringstream out;
  StatusLine line(out, Terminal::kPlain);
  line.show("evil \x1b[2J", "");
  EXPECT_THAT(out.str(), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace forge
