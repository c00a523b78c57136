#include "agent/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string refusal(const std::string& text) {
  const auto config = parse_agents(text, "agents.toml");
  if (config) return "accepted";
  return config.error().message();
}

TEST(AgentsConfig, ARoleThatIsNotNamedIsPlayedByTheBuiltinAgent) {
  const auto config = parse_agents("[student]\nbackend = \"inbox\"\n", "agents.toml");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->of(Role::kStudent).backend, "inbox");
  EXPECT_EQ(config->of(Role::kTeacher).backend, "builtin");
}

TEST(AgentsConfig, ReadsServersWithTheirUsualAddressAndKey) {
  const auto config = parse_agents(R"([teacher]
backend = "anthropic"
model = "a model"
[student]
backend = "openai"
model = "another"
url = "http://127.0.0.1:8000/v1/"
key = ""
output_tokens = 1000
input_price = 3
)",
                                   "agents.toml");
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->of(Role::kTeacher).server.url, "https://api.anthropic.com");
  EXPECT_EQ(config->of(Role::kTeacher).server.key, "ANTHROPIC_API_KEY");
  EXPECT_EQ(config->of(Role::kStudent).server.url, "http://127.0.0.1:8000/v1");
  EXPECT_EQ(config->of(Role::kStudent).server.key, "");
  EXPECT_EQ(config->of(Role::kStudent).server.input_price, 3);
}

TEST(AgentsConfig, APresetFillsInWhatIsNotSaid) {
  for (const std::string& preset : command_presets()) {
    const auto config = parse_agents(
        "[student]\nbackend = \"command\"\nmodel = \"m\"\npreset = \"" + preset + "\"\n", "a");
    ASSERT_TRUE(config) << config.error().message();
    EXPECT_EQ(config->of(Role::kStudent).command.command, command_preset(preset)->command);
  }
  const auto own = parse_agents(
      "[student]\nbackend = \"command\"\npreset = \"claude\"\ncommand = [\"mine\"]\n", "a");
  EXPECT_THAT(own->of(Role::kStudent).command.command, ElementsAre("mine"));
  EXPECT_EQ(own->of(Role::kStudent).command.config, command_preset("claude")->config);
}

TEST(AgentsConfig, IsReadBackAsItWasWritten) {
  const std::string text = R"([teacher]
backend = "anthropic"
model = "m"
input_price = 0.25
[student]
backend = "command"
command = ["agent", "say \"it\""]
prompt = "file"
config = [".agent"]
pass = ["AGENT_TOKEN"]
readable = ["/srv/agent"]
sandbox = "landlock"
network = false
[reviewer]
backend = "replay"
run = ".artifacts/x_abcd"
[judge_author]
backend = "builtin"
)";
  const auto config = parse_agents(text, "agents.toml");
  ASSERT_TRUE(config) << config.error().message();
  const std::string written = write_agents(*config);
  const auto again = parse_agents(written, "agents.toml");
  ASSERT_TRUE(again) << again.error().message() << written;
  EXPECT_EQ(write_agents(*again), written);
  EXPECT_EQ(again->of(Role::kStudent).command.prompt, PromptBy::kFile);
  EXPECT_FALSE(again->of(Role::kStudent).command.network);
}

TEST(AgentsConfig, MistakesNameFileLineAndRemedy) {
  EXPECT_THAT(refusal("[studnet]\nbackend = \"inbox\""),
              AllOf(HasSubstr("agents.toml:1"), HasSubstr("did you mean 'student'?")));
  EXPECT_THAT(refusal("[student]\nbackend = \"inbocks\""),
              AllOf(HasSubstr("agents.toml:2"), HasSubstr("did you mean 'inbox'?")));
  EXPECT_THAT(refusal("[student]\nbackend = \"inbox\"\nmodel = \"x\""), HasSubstr("'model'"));
  EXPECT_THAT(refusal("[student]\nbackend = \"openai\""), HasSubstr("'model'"));
  EXPECT_THAT(refusal("[student]\nbackend = \"command\""), HasSubstr("names no program"));
  EXPECT_THAT(refusal("[student]\nbackend = \"command\"\npreset = \"cloud\""),
              HasSubstr("did you mean 'claude'?"));
  EXPECT_THAT(refusal("[student]\nbackend = \"command\"\npreset = \"claude\""),
              HasSubstr("names no model"));
  EXPECT_THAT(refusal("[student]\nbackend = \"command\"\ncommand = [\"a\"]\nsandbox = \"none\""),
              HasSubstr("known: best, bubblewrap, landlock"));
  EXPECT_THAT(refusal("[student]\nbackend = \"command\"\ncommand = [\"a\"]\nreadable = [\"x\"]"),
              HasSubstr("absolute paths"));
  EXPECT_THAT(refusal("student = 7"), HasSubstr("must be a table"));
  EXPECT_THAT(refusal("[student]\nbackend = \"openai\"\nmodel = \"m\"\ncalls = 0"),
              HasSubstr("'calls'"));
  for (const char* url : {"ftp://x", "https://", "nonsense", "http://a b"}) {
    EXPECT_THAT(refusal("[student]\nbackend = \"openai\"\nmodel = \"m\"\nurl = \"" +
                        std::string(url) + "\""),
                HasSubstr("is no address"));
  }
  for (const char* path : {"/etc", "..", "../x", "a/../../b", ""}) {
    EXPECT_THAT(refusal("[student]\nbackend = \"command\"\ncommand = [\"a\"]\nconfig = [\"" +
                        std::string(path) + "\"]"),
                HasSubstr("below the home folder"));
  }
}

TEST(AgentsConfig, AKeyInTheFileIsRefusedAndNotRepeated) {
  for (const char* line :
       {"key = \"sk-live-12345\"", "api_key = \"sk-live-12345\"",
        "url = \"https://me:sk-live-12345@host\"", "url = \"https://host?key=sk-live-12345\""}) {
    const auto text =
        refusal(std::string("[student]\nbackend = \"openai\"\nmodel = \"m\"\n") + line);
    EXPECT_THAT(text, AllOf(HasSubstr("agents.toml:4"), Not(HasSubstr("sk-live")))) << line;
  }
  EXPECT_THAT(
      refusal("[student]\nbackend = \"command\"\ncommand = [\"a\"]\npass = [\"sk-live-1\"]"),
      AllOf(HasSubstr("'pass'"), Not(HasSubstr("sk-live"))));
}

}  // namespace
}  // namespace forge
