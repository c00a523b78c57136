// How an agent's command line is put together and what becomes of its end; no process is started.
// The real sandboxes are tried in tests/cli/agent_boundary_test.cc.
#include "agent/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/clock_fake.h"
#include "sys/fs_fake.h"
#include "sys/process_fake.h"

namespace forge {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

class CommandTest : public testing::Test {
 protected:
  CommandTest() {
    EXPECT_TRUE(fs_.make_directories("turn/view/work"));
    fs_.add_file("turn/view/task/description.md", "what is computed");
    processes_.answer({"bwrap"}, exited_with(0));
    settings_.backend = "command";
    settings_.model = "m1";
    settings_.minutes = 5;
    settings_.command.command = {"sh", "-x", "--model={model}", "{prompt}"};
    settings_.command.pass = {"AGENT_KEY"};
    settings_.command.config = {".agent/auth.json"};
  }
  Result<TurnOutcome> take() {
    auto backend = make_command_backend(
        settings_, {fs_, processes_, [](const std::string& name) -> std::optional<std::string> {
                      if (name == "AGENT_KEY") return "sk-secret-12345";
                      return name == "HOME" ? std::optional<std::string>("/home/me") : std::nullopt;
                    }});
    if (!backend) return backend.error();
    Turn turn;
    turn.number = 1;
    turn.prompt = "the task\n";
    turn.view = "turn/view";
    turn.workspace = "turn/view/work";
    turn.record = "turn";
    turn.denied = denied_;
    auto transcript = FileTranscript::open(fs_, "turn/transcript.jsonl", clock_, redactor_);
    turn.transcript = transcript->get();
    return (*backend)->take_turn(turn);
  }
  const ProcessSpec& started() { return processes_.calls().back(); }
  std::string command_line() {
    std::string line;
    for (const std::string& word : started().argv) line += "\"" + word + "\", ";
    return line;
  }

  FakeFs fs_;
  FakeClock clock_;
  Redactor redactor_;
  FakeProcessRunner processes_;
  AgentSettings settings_;
  std::vector<Path> denied_ = {"/fake/run/secrets.json"};
};

TEST_F(CommandTest, UnderBubblewrapSeesItsViewWritesItsWorkspaceAndKeepsItsKeyOffTheCommandLine) {
  ASSERT_TRUE(take());
  EXPECT_THAT(command_line(), AllOf(HasSubstr(R"("--ro-bind", "/fake/turn/view", "/turn")"),
                                    HasSubstr(R"("--bind", "/fake/turn/view/work", "/turn/work")"),
                                    HasSubstr(R"("--ro-bind-try", "/home/me/.agent/auth.json", )"
                                              R"("/home/agent/.agent/auth.json")"),
                                    HasSubstr("--die-with-parent"), HasSubstr("--model=m1"),
                                    HasSubstr("the task"), Not(HasSubstr("sk-secret"))));
  EXPECT_EQ(started().environment_mode, EnvironmentMode::kOnlyGiven);
  EXPECT_THAT(started().environment, Contains(Pair("AGENT_KEY", "sk-secret-12345")));
  EXPECT_EQ(started().limits.wall, std::chrono::minutes(5));
  EXPECT_THAT(started().standard_input, HasSubstr("work/note.txt"));
}

TEST_F(CommandTest, UnderLandlockItsHomeIsLinkedAndNothingElseIsReadable) {
  settings_.command.sandbox = SandboxChoice::kLandlock;
  settings_.command.network = false;
  fs_.add_file("/home/me/.agent/auth.json", "a token");
  processes_.answer({"forge-launcher"}, exited_with(0, "landlock\nseccomp\n"));
  processes_.answer({"/"}, exited_with(0));
  const auto outcome = take();
  ASSERT_FALSE(outcome) << "the fake has no answer for the program itself";
  const auto& confinement = started().confinement;
  ASSERT_TRUE(confinement);
  EXPECT_EQ(confinement->kind, ConfinementKind::kAgentOffline);
  EXPECT_THAT(confinement->writable, Contains("/fake/turn/view/work"));
  EXPECT_THAT(confinement->readable, AllOf(Contains("/fake/turn/view"), Contains("/usr"),
                                           Not(Contains("/fake/turn")), Not(Contains("/"))));
  EXPECT_FALSE(fs_.exists("turn/home")) << "it is removed with the turn";
}

TEST_F(CommandTest, APromptByFileIsNamedAsTheAgentSeesIt) {
  settings_.command.prompt = PromptBy::kFile;
  ASSERT_TRUE(take());
  EXPECT_THAT(command_line(), AllOf(HasSubstr("\"/turn/prompt.md\""), Not(HasSubstr("the task"))));
  EXPECT_THAT(*fs_.read("turn/view/prompt.md"),
              AllOf(HasSubstr("the task"), HasSubstr("note.txt")));
  EXPECT_EQ(started().standard_input, "");
}

TEST_F(CommandTest, TheNoteDecidesWhatBecameOfTheTurn) {
  ASSERT_TRUE(std::holds_alternative<TurnDone>(*take()));
  fs_.add_file("turn/view/work/note.txt", "wider loads\n");
  EXPECT_EQ(std::get<TurnDone>(*take()).note, "wider loads");
  fs_.add_file("turn/view/work/note.txt", "pass: all is tried\n");
  EXPECT_EQ(std::get<TurnPassed>(*take()).reason, "all is tried");
  fs_.add_file("turn/view/work/note.txt", "fail: no compiler\n");
  EXPECT_EQ(std::get<TurnFailed>(*take()).reason, "no compiler");
}

TEST_F(CommandTest, WithoutANoteTheLastLineThatWasPrintedIsOne) {
  processes_.answer({"bwrap"}, exited_with(0, "thinking\nI unrolled it\n\n"));
  EXPECT_EQ(std::get<TurnDone>(*take()).note, "I unrolled it");
}

TEST_F(CommandTest, OutputAndTokensAreRecorded) {
  processes_.answer({"bwrap"},
                    exited_with(0,
                                "{\"type\":\"assistant\",\"usage\":{\"input_tokens\":5}}\n"
                                "{\"type\":\"result\",\"usage\":{\"input_tokens\":100,"
                                "\"cache_read_input_tokens\":50,\"output_tokens\":7},"
                                "\"total_cost_usd\":0.25}\nbad \xff\xfe bytes\n"));
  const auto outcome = take();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(usage_of(*outcome).input_tokens, 150);
  EXPECT_EQ(usage_of(*outcome).output_tokens, 7);
  EXPECT_EQ(usage_of(*outcome).cost, 0.25);
  EXPECT_EQ(read_transcript(fs_, "turn/transcript.jsonl")->size(), 3u);
}

TEST_F(CommandTest, AProgramThatFailsIsAFailedTurnWithItsLastWords) {
  ProcessResult result = exited_with(3, "");
  result.standard_error = "no such model\n";
  // The probe goes well, the program does not.
  processes_.answer({"bwrap", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"},
                    result);
  EXPECT_THAT(std::get<TurnFailed>(*take()).reason,
              AllOf(HasSubstr("exited with 3"), HasSubstr("no such model")));
}

TEST_F(CommandTest, ACheckTellsAProgramThatDoesNotStartFromOneThatKnowsNoVersion) {
  const std::vector<std::string> started = {"bwrap", "--unshare-user", "--unshare-pid",
                                            "--unshare-ipc", "--unshare-uts"};
  const auto check = [&] {
    return (*make_command_backend(
                settings_,
                {fs_, processes_, [](const std::string&) { return std::optional<std::string>(); }}))
        ->check();
  };
  ASSERT_TRUE(fs_.make_directories("/tmp"));
  processes_.answer(started, exited_with(0, "agent 1.2\n"));
  EXPECT_THAT(*check(), HasSubstr("agent 1.2: enforced"));
  ProcessResult unknown = exited_with(2);
  unknown.standard_error = "no such option\n";
  processes_.answer(started, unknown);
  EXPECT_THAT(*check(), HasSubstr("it starts"));
  ProcessResult missing = exited_with(1);
  missing.standard_error = "bwrap: execvp /x: No such file or directory\n";
  processes_.answer(started, missing);
  EXPECT_THAT(check().error().message(), HasSubstr("No such file"));
}

TEST_F(CommandTest, WhatWouldOpenAWayToWhatIsDeniedIsRefused) {
  for (const char* readable : {"/fake", "/fake/run", "/fake/run/secrets.json"}) {
    settings_.command.readable = {readable};
    const auto outcome = take();
    ASSERT_FALSE(outcome) << readable;
    EXPECT_THAT(outcome.error().message(), HasSubstr(readable));
  }
  settings_.command.readable = {};
  denied_ = {"/usr/src/project/.artifacts/run"};
  EXPECT_THAT(take().error().message(), HasSubstr("/usr"));
}

TEST_F(CommandTest, AMachineThatConfinesNothingIsAdvisoryUnlessASandboxIsAskedFor) {
  processes_.answer({"bwrap"}, exited_with(1));
  processes_.answer({"forge-launcher"}, exited_with(0, "seccomp\n"));
  EXPECT_EQ(*find_sandbox(SandboxChoice::kBest, processes_), Sandbox::kNone);
  EXPECT_EQ(boundary_of(Sandbox::kNone), kAdvisory);
  EXPECT_FALSE(find_sandbox(SandboxChoice::kBubblewrap, processes_));
  EXPECT_FALSE(find_sandbox(SandboxChoice::kLandlock, processes_));
  processes_.answer({"forge-launcher"}, exited_with(0, "landlock\n"));
  EXPECT_EQ(*find_sandbox(SandboxChoice::kBest, processes_), Sandbox::kLandlock);
}

TEST(UsageInLine, IsNothingInWhatIsNoSum) {
  for (const char* line :
       {"", "text", "{", "{\"usage\"", "{\"type\":\"result\"}", "{\"type\":\"result\",\"usage\":7}",
        "{\"type\":\"result\",\"usage\":{\"input_tokens\":-5}}",
        "{\"type\":7,\"usage\":{\"input_tokens\":5}}",
        "{\"type\":\"result\",\"note\":{\"usage\":{\"input_tokens\":5}}}"}) {
    EXPECT_EQ(usage_in_line(line).input_tokens, 0) << line;
  }
  EXPECT_EQ(usage_in_line(R"({"type":"turn.completed","usage":{"input_tokens":5}})").input_tokens,
            5);
}

}  // namespace
}  // namespace forge
