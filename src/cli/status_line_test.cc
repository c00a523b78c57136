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
    StatusLine line(out, Terminal::kPlain, {});
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
    StatusLine line(out, Terminal::kLive, {});
    line.show("round 1", "0:01");
    line.show("round 1", "0:02");
  }
  EXPECT_EQ(out.str(), "0:01  round 1\r\x1b[J0:02  round 1\r\x1b[J");
}

TEST(StatusLine, ALineThatStaysTakesThePlaceOfTheLiveOne) {
  std::ostringstream out;
  StatusLine line(out, Terminal::kLive, {});
  line.show("round 1", "0:01");
  line.keep("done");
  EXPECT_EQ(out.str(), "0:01  round 1\r\x1b[Jdone\n");
}

TEST(StatusLine, NeverFillsTheLastColumnAndCutsNoCharacterInTwo) {
  std::ostringstream out;
  StatusLine line(out, Terminal::kLive, [] { return 12; });
  line.show("aé€xyz", "0:01");
  EXPECT_EQ(out.str(), "0:01  aé€x");
}

TEST(StatusLine, ALineThatANarrowerWindowWrappedIsClearedWhole) {
  int columns = 40;
  std::ostringstream out;
  StatusLine line(out, Terminal::kLive, [&] { return columns; });
  line.show(std::string(60, 'x'), "0:01");
  columns = 15;  // 39 columns are now on three rows
  out.str("");
  line.show(std::string(60, 'x'), "0:02");
  EXPECT_EQ(out.str(), "\r\x1b[2A\x1b[J0:02  xxxxxxxx");
}

TEST(StatusLine, WhatAnAgentSaysCannotMoveTheCursor) {
  std::ostringstream out;
  StatusLine line(out, Terminal::kPlain, {});
  line.show("evil \x1b[2J", "");
  EXPECT_THAT(out.str(), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace forge
