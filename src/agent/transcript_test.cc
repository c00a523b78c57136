#include "agent/transcript.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/clock_fake.h"
#include "sys/fs_fake.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Redactor, TakesSecretsOutOfTextsKeysAndNestedValues) {
  const Redactor redactor({"sk-secret-1", "sk-secret-1-longer", "", "short"});
  EXPECT_EQ(redactor.clean(std::string("a sk-secret-1-longer, sk-secret-1sk-secret-1; short")),
            "a [removed], [removed][removed]; short");
  const auto json = parse_json(R"({"sk-secret-1": [{"x": "is sk-secret-1"}, 7]})", "test");
  EXPECT_EQ(redactor.clean(*json).dump(), R"({"[removed]":[{"x":"is [removed]"},7]})");
  EXPECT_TRUE(redactor.holds_secret("// sk-secret-1"));
  EXPECT_FALSE(redactor.holds_secret("// nothing"));
}

class TranscriptTest : public testing::Test {
 protected:
  TranscriptTest() { EXPECT_TRUE(fs_.make_directories("turn")); }
  std::unique_ptr<FileTranscript> open() {
    auto transcript = FileTranscript::open(fs_, "turn/transcript.jsonl", clock_, redactor_);
    EXPECT_TRUE(transcript);
    return std::move(*transcript);
  }
  Json say(const std::string& text) {
    Json json = Json::object();
    json.set("text", text);
    return json;
  }

  FakeFs fs_;
  FakeClock clock_;
  Redactor redactor_{{"sk-secret-1"}};
};

TEST_F(TranscriptTest, NumbersItsEntriesAndHoldsNoSecret) {
  auto transcript = open();
  ASSERT_TRUE(transcript->add("text", say("one")));
  ASSERT_TRUE(transcript->add("text", say("the key is sk-secret-1")));
  const auto entries = read_transcript(fs_, "turn/transcript.jsonl");
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ((*entries)[1].dump(),
            R"({"n":2,"at":"2026-01-01T00:00:00Z","type":"text","text":"the key is [removed]"})");
}

TEST_F(TranscriptTest, AnotherTakeOfTheTurnBeginsAnew) {
  ASSERT_TRUE(open()->add("text", say("the first take")));
  ASSERT_TRUE(open()->add("text", say("the second")));
  EXPECT_THAT(*fs_.read("turn/transcript.jsonl"), Not(HasSubstr("first")));
}

TEST_F(TranscriptTest, ATornLastLineIsLeftOutAndABrokenOneIsNamed) {
  fs_.add_file("t.jsonl", "{\"type\":\"a\"}\n{\"type\":\"b\"}\n{\"ty");
  EXPECT_EQ(read_transcript(fs_, "t.jsonl")->size(), 2u);
  fs_.add_file("t.jsonl", "{\"type\":\"a\"}\nnonsense\n");
  EXPECT_THAT(read_transcript(fs_, "t.jsonl").error().message(), HasSubstr("t.jsonl:2"));
  fs_.add_file("t.jsonl", "{\"kind\":\"a\"}\n");
  EXPECT_THAT(read_transcript(fs_, "t.jsonl").error().message(), HasSubstr("'type' is missing"));
}

}  // namespace
}  // namespace forge
