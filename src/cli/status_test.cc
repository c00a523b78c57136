#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/exit_code.h"
#include "cli/subcommands.h"
#include "fakes/test_context.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

class Watch : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(test_.world.create()); }
  int watch() {
    auto context = test_.context();
    return run_status({StatusMode::kWatch, OutputFormat::kText}, context).value();
  }

  TestContext test_;
};

TEST_F(Watch, ToAPipeIsALineForEachChangeWithoutControlCharacters) {
  test_.looks = 4;
  test_.between_looks = [this] {
    test_.world.clock.advance_seconds(1);
    if (test_.looks == 2) test_.append_event();
  };
  EXPECT_EQ(watch(), kExitInterrupted);
  EXPECT_EQ(count(test_.out.str(), "\n"), 2u) << test_.out.str();
  EXPECT_THAT(test_.out.str(), HasSubstr("prepare"));
  EXPECT_THAT(test_.out.str(), HasSubstr("judge"));
  EXPECT_THAT(test_.out.str(), Not(HasSubstr("\x1b")));
}

TEST_F(Watch, OnATerminalIsOneBlockThatIsClearedAtTheEnd) {
  test_.terminal = Terminal::kLive;
  test_.looks = 3;
  test_.between_looks = [this] {
    if (test_.looks == 1) test_.append_event();
  };
  EXPECT_EQ(watch(), kExitInterrupted);
  EXPECT_EQ(count(test_.out.str(), "not running: forge run norm_"), 2u);
  EXPECT_EQ(count(test_.out.str(), "\x1b[J"), 2u);
  EXPECT_TRUE(test_.out.str().ends_with("\r\x1b[1A\x1b[J"));
}

TEST(WatchWithoutRuns, SaysHowToMakeOne) {
  TestContext test;
  test.terminal = Terminal::kLive;
  auto context = test.context();
  EXPECT_EQ(run_status({StatusMode::kWatch, OutputFormat::kText}, context).value(),
            kExitInterrupted);
  EXPECT_THAT(test.out.str(), HasSubstr("forge new TASK"));
}

}  // namespace
}  // namespace forge
