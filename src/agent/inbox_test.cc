#include "agent/inbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/fs_fake.h"

namespace forge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class InboxTest : public testing::Test {
 protected:
  InboxTest() {
    EXPECT_TRUE(fs_.make_directories("turns/0007/view/work"));
    turn_.number = 7;
    turn_.record = "turns/0007";
    turn_.view = "turns/0007/view";
    turn_.workspace = "turns/0007/view/work";
    turn_.notice = [this](std::string_view text) { notices_.emplace_back(text); };
  }
  Result<TurnOutcome> take() {
    return make_inbox_backend(fs_, {[this] { return interrupted_; },
                                    [this](std::chrono::milliseconds) { in_pause_(); }})
        ->take_turn(turn_);
  }

  FakeFs fs_;
  Turn turn_;
  bool interrupted_ = false;
  std::function<void()> in_pause_ = [] {};
  std::vector<std::string> notices_;
};

TEST_F(InboxTest, WaitsForAnAnswerAndSaysWhereTheTurnLies) {
  int pauses = 0;
  in_pause_ = [&] {
    if (++pauses < 3) return;
    const auto open = find_open_turn(fs_, "turns/0007");
    ASSERT_TRUE(open && *open);
    EXPECT_EQ((*open)->workspace, "turns/0007/view/work");
    EXPECT_EQ((*open)->role, Role::kStudent);
    ASSERT_TRUE(answer_turn(fs_, **open, {"done", "wider loads"}));
  };
  const auto outcome = take();
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(std::get<TurnDone>(*outcome).note, "wider loads");
  EXPECT_THAT(notices_,
              testing::ElementsAre(AllOf(HasSubstr("turn 7"), HasSubstr("turns/0007/view"),
                                         HasSubstr("forge turn done"))));
  EXPECT_FALSE(find_open_turn(fs_, "turns/0007")->has_value()) << "it is answered";
}

TEST_F(InboxTest, AnAnswerThatCameWhileNobodyDroveTheRunIsTaken) {
  fs_.add_file("turns/0007/answer.json", R"({"format":1,"outcome":"passed","words":"no"})");
  in_pause_ = [] { FAIL() << "there is nothing to wait for"; };
  EXPECT_EQ(std::get<TurnPassed>(*take()).reason, "no");
}

TEST_F(InboxTest, AnInterruptionEndsTheWaitAndLeavesTheTurnOpen) {
  in_pause_ = [this] { interrupted_ = true; };
  EXPECT_EQ(take().error().kind, ErrorKind::kInterrupted);
  EXPECT_TRUE(find_open_turn(fs_, "turns/0007")->has_value());
}

TEST_F(InboxTest, AnAnswerThatIsNoneIsAnErrorThatNamesTheFile) {
  for (const char* bad :
       {"", "{}", "[]", R"({"outcome":"well","words":""})", R"({"outcome":"done","words":7})",
        R"({"outcome":"done"})", R"({"outcome":"done","words":"","extra":1})"}) {
    fs_.add_file("turns/0007/answer.json", bad);
    const auto outcome = take();
    ASSERT_FALSE(outcome) << bad;
    EXPECT_THAT(outcome.error().message(), HasSubstr("answer.json"));
  }
}

}  // namespace
}  // namespace forge
