#include "agent/tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/fs_fake.h"
#include "sys/process_fake.h"

namespace forge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ToolsTest : public testing::Test {
 protected:
  ToolsTest() {
    fs_.add_file("turn/view/task/description.md", "what is computed");
    fs_.add_file("turn/view/work/kernel.cpp", "int a = 1; int b = 1;");
    fs_.add_file("turn/outcome.json", "not in the view");
    fs_.add_link("turn/view/work/link");
  }
  ToolAnswer call(std::string_view tool, std::string_view arguments) {
    auto answer = tools_.call(tool, *parse_json(arguments, "test"));
    EXPECT_TRUE(answer) << answer.error().message();
    return answer ? *answer : ToolAnswer{};
  }
  std::string refusal(std::string_view tool, std::string_view arguments) {
    const ToolAnswer answer = call(tool, arguments);
    EXPECT_EQ(answer.end, ToolEnd::kRefused) << arguments;
    return answer.text;
  }

  FakeFs fs_;
  FakeProcessRunner processes_;
  Toolbox tools_{{"turn/view", "turn/view/work", "turn/scratch", Role::kStudent, Json::object()},
                 fs_,
                 processes_};
};

TEST_F(ToolsTest, ListAndReadSeeTheViewAndNothingElse) {
  EXPECT_THAT(call("list", "{}").text,
              AllOf(HasSubstr("task/description.md (16 bytes)"), Not(HasSubstr("outcome.json"))));
  EXPECT_THAT(call("list", R"({"path":"work"})").text, Not(HasSubstr("description")));
  EXPECT_EQ(call("read", R"({"path":"./task/../task/description.md"})").text, "what is computed");
  EXPECT_EQ(call("read", R"({"path":"task/description.md","offset":5})").text, "is computed");
  for (const char* path : {"../outcome.json", "/turn/outcome.json", "task/../../outcome.json",
                           "work/../../outcome.json", "..", "/", "a\\u0000b"}) {
    EXPECT_THAT(refusal("read", std::string(R"({"path":")") + path + "\"}"),
                HasSubstr("must stay in the task's folder"));
  }
  EXPECT_THAT(refusal("read", R"({"path":"work/link"})"), HasSubstr("leads through a link"));
  EXPECT_THAT(refusal("read", R"({"path":"work/link/x"})"), HasSubstr("leads through a link"));
  EXPECT_THAT(refusal("read", R"({"path":"task"})"), HasSubstr("no such file"));
}

TEST_F(ToolsTest, OnlyTheWorkspaceIsWritten) {
  EXPECT_EQ(call("write", R"({"path":"work/deep/x.h","content":"x"})").end, ToolEnd::kDone);
  EXPECT_EQ(*fs_.read("turn/view/work/deep/x.h"), "x");
  for (const char* path : {"task/description.md", "prompt.md", "work", "work/", "work/../task/x",
                           "working/x", ".", ""}) {
    refusal("write", std::string(R"({"path":")") + path + R"(","content":"x"})");
  }
  EXPECT_THAT(refusal("write", R"({"path":"work/link","content":"x"})"), HasSubstr("link"));
  EXPECT_EQ(*fs_.read("turn/view/task/description.md"), "what is computed");
}

TEST_F(ToolsTest, ReplaceWantsExactlyOneOccurrence) {
  EXPECT_EQ(call("replace", R"({"path":"work/kernel.cpp","old":"b = 1","new":"b = 2"})").text,
            "replaced");
  EXPECT_EQ(*fs_.read("turn/view/work/kernel.cpp"), "int a = 1; int b = 2;");
  EXPECT_THAT(refusal("replace", R"({"path":"work/kernel.cpp","old":"int","new":"x"})"),
              HasSubstr("occurs 2 times"));
  EXPECT_THAT(refusal("replace", R"({"path":"work/kernel.cpp","old":"none","new":"x"})"),
              HasSubstr("occurs 0 times"));
  EXPECT_THAT(refusal("replace", R"({"path":"work/kernel.cpp","old":"","new":"x"})"),
              HasSubstr("'old' is empty"));
}

TEST_F(ToolsTest, LargeFilesAreReadInParts) {
  fs_.add_file("turn/view/task/large", std::string(200'000, 'x'));
  const auto first = call("read", R"({"path":"task/large"})");
  EXPECT_THAT(first.text, HasSubstr("read on with offset 131072"));
  EXPECT_EQ(call("read", R"({"path":"task/large","offset":131072})").text.size(),
            200'000u - 131'072);
  EXPECT_THAT(refusal("read", R"({"path":"task/large","offset":200001})"), HasSubstr("bytes only"));
}

TEST_F(ToolsTest, SearchFindsLinesThatHoldAllWords) {
  fs_.add_file("turn/view/knowledge/cpu/stores.md",
               "# Streaming stores\nThey pass the caches by.\n");
  EXPECT_EQ(call("search", R"({"query":"STORES streaming"})").text,
            "knowledge/cpu/stores.md:1: # Streaming stores\n");
  EXPECT_EQ(call("search", R"({"query":"stores absent"})").text, "no line holds all these words");
  EXPECT_THAT(call("search", R"({"query":"not in the view"})").text, Not(HasSubstr("outcome")));
  EXPECT_THAT(refusal("search", R"({"query":"  "})"), HasSubstr("no word"));
  fs_.add_file("turn/view/task/many", [] {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "the word\n";
    return text;
  }());
  EXPECT_THAT(call("search", R"({"query":"the word"})").text, HasSubstr("… and 40 more lines"));
}

TEST_F(ToolsTest, WrongArgumentsAreAnsweredWithWhatIsWrong) {
  EXPECT_THAT(refusal("read", "{}"), HasSubstr("'path' is missing"));
  EXPECT_THAT(refusal("read", R"({"path":7})"), HasSubstr("must be a string"));
  EXPECT_THAT(refusal("read", R"({"path":"x","depth":1})"), HasSubstr("unknown key 'depth'"));
  EXPECT_THAT(refusal("read", "[]"), HasSubstr("must be an object"));
  EXPECT_THAT(refusal("delete", "{}"), HasSubstr("no tool 'delete'"));
}

TEST_F(ToolsTest, FinishSetsTheOutcome) {
  EXPECT_THAT(refusal("finish", R"({"outcome":"well","note":"x"})"),
              HasSubstr("done, pass or fail"));
  EXPECT_FALSE(tools_.outcome());
  call("finish", R"({"outcome":"pass","note":"all is tried"})");
  ASSERT_TRUE(tools_.outcome());
  EXPECT_EQ(std::get<TurnPassed>(*tools_.outcome()).reason, "all is tried");
}

TEST_F(ToolsTest, ATeacherHasNoCompiler) {
  const Toolbox teacher({"turn/view", "turn/view/work", "s", Role::kTeacher, Json::object()}, fs_,
                        processes_);
  for (const auto& tool : teacher.definitions()) EXPECT_NE(tool.name, "compile");
  EXPECT_EQ(tools_.definitions().size(), teacher.definitions().size() + 1);
}

TEST_F(ToolsTest, AFullDiskIsTheMachinerysError) {
  fs_.fail_step(fs_.steps() + 1, FaultSpan::kFromThenOn,
                Error{ErrorKind::kEnvironment, "", "", "no space left on device", ""});
  EXPECT_FALSE(tools_.call("write", *parse_json(R"({"path":"work/x","content":"x"})", "test")));
}

}  // namespace
}  // namespace forge
