#include "agent/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/fs_fake.h"

namespace forge {
namespace {

using testing::HasSubstr;

constexpr std::string_view kOutcome =
    R"({"role":"student","outcome":"done","note":"kVec: 1 -> 4","input_tokens":10,
        "output_tokens":20,"cost":0.5,"seconds":3.0})";
constexpr std::string_view kBrief = R"({"task":"row","milestone":"M0","row":{"id":"D0.1"}})";

class ReplayTest : public testing::Test {
 protected:
  ReplayTest() {
    record(kOutcome, R"({"type":"left","files":{"kernel.cpp":"the kernel"}})");
    EXPECT_TRUE(fs_.make_directories("work"));
  }
  void record(std::string_view outcome, std::string_view left) {
    fs_.add_file("run/turns/0002/outcome.json", outcome);
    fs_.add_file("run/turns/0002/brief.json", kBrief);
    fs_.add_file("run/turns/0002/transcript.jsonl", std::string(left) + "\n");
  }
  Result<TurnOutcome> take(int number, std::string_view brief = kBrief) {
    Turn turn;
    turn.number = number;
    turn.brief = *parse_json(brief, "brief");
    turn.workspace = "work";
    return make_replay_backend(fs_, "run")->take_turn(turn);
  }

  FakeFs fs_;
};

TEST_F(ReplayTest, LeavesTheRecordedFilesAndTheRecordedOutcome) {
  const auto outcome = take(2);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(std::get<TurnDone>(*outcome).note, "kVec: 1 -> 4");
  EXPECT_EQ(usage_of(*outcome).output_tokens, 20);
  EXPECT_EQ(*fs_.read("work/kernel.cpp"), "the kernel");
}

TEST_F(ReplayTest, ATurnThatWasNotRecordedHasFailed) {
  EXPECT_THAT(std::get<TurnFailed>(*take(3)).reason, HasSubstr("no turn 3"));
}

TEST_F(ReplayTest, ATurnThatAnswersAnotherQuestionHasFailedAndLeavesNothing) {
  const auto outcome = take(2, R"({"task":"row","milestone":"M0","row":{"id":"D0.2"}})");
  EXPECT_THAT(std::get<TurnFailed>(*outcome).reason, HasSubstr("another question"));
  EXPECT_FALSE(fs_.exists("work/kernel.cpp"));
}

TEST_F(ReplayTest, ARecordWritesNowhereElse) {
  for (const char* name : {"../kernel.cpp", "/kernel.cpp", "a/b", "..", ""}) {
    record(kOutcome, std::string(R"({"type":"left","files":{")") + name + R"(":"x"}})");
    EXPECT_FALSE(take(2)) << name;
  }
}

TEST_F(ReplayTest, ABrokenRecordIsAnErrorThatNamesTheFile) {
  record("{}", R"({"type":"left","files":{}})");
  EXPECT_THAT(take(2).error().message(), HasSubstr("outcome.json"));
  record(kOutcome, R"({"type":"left","files":7})");
  EXPECT_THAT(take(2).error().message(), HasSubstr("transcript.jsonl"));
}

}  // namespace
}  // namespace forge
