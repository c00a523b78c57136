// Whole runs of the real programs with agents other than the builtin one, on a small problem.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "program_rig.h"
#include "run/paths.h"

namespace forge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string rounds_of(const State& state) {
  std::string text;
  for (const auto& round : state.rounds) {
    text += round.started.row + " " + round.started.tried + " " + round.started.source + "\n";
  }
  return text;
}

class AgentsProgram : public testing::Test {
 protected:
  void use(const std::string& agents) { rig_.write(rig_.folder() / "agents.toml", agents); }
  ProcessResult run(const Path& run) { return rig_.forge({"run", run.string()}); }
  std::string report(const Path& run) { return rig_.fs().read(run / "report.md").value_or(""); }

  ProgramRig rig_{CacheKind::kShared};
};

TEST_F(AgentsProgram, ACommandLineWritesKernelsInItsSandboxAndItsRunCanBePlayedBack) {
  use(R"([student]
backend = "command"
command = ["sh", "-c", "cat prompt.md; echo '// one more line' >> work/kernel.cpp; echo more > work/note.txt"]
pass = ["AGENT_KEY"]
)");
  const Path made = rig_.new_run();
  const auto result = rig_.forge({"run", made.string()}, {{"AGENT_KEY", "sk-secret-12345"}});
  EXPECT_THAT(exit_code(result), testing::AnyOf(0, 2)) << result.standard_error;
  const State state = rig_.state(made);
  ASSERT_GT(state.rounds.size(), 1u) << result.standard_output;
  EXPECT_THAT(rounds_of(state), HasSubstr(" more "));
  EXPECT_THAT(report(made), AllOf(HasSubstr("enforced: the agent runs"),
                                  Not(HasSubstr("The boundary was advisory"))));
  const auto files = list_files_recursively(rig_.fs(), made);
  for (const Path& file : *files) {
    EXPECT_THAT(*rig_.fs().read(made / file), Not(HasSubstr("sk-secret"))) << file;
  }

  const std::string replay = "backend = \"replay\"\nrun = \"" + made.string() + "\"\n";
  use("[student]\n" + replay + "[teacher]\n" + replay);
  const Path again = rig_.new_run();
  run(again);
  EXPECT_EQ(rounds_of(rig_.state(again)), rounds_of(state));
}

// One turn is done by hand, as docs/agents.md tells it, and the others are passed.
TEST_F(AgentsProgram, AnInboxIsAnsweredFromAnotherProcess) {
  use("[student]\nbackend = \"inbox\"\n");
  const Path made = rig_.new_run();
  const auto driver = rig_.start({"run", made.string()});
  int answered = 0;
  while (!driver->wait(std::chrono::milliseconds(100)).value()) {
    const auto listed = rig_.forge({"turn", "list"});
    if (listed.standard_output.find("student") == std::string::npos) continue;
    if (++answered > 1) {
      rig_.forge({"turn", "pass", "--note", "nothing left"});
      continue;
    }
    const auto words = split(std::string(trim(listed.standard_output)), ' ');
    const Path view = rig_.folder() / words.back();
    EXPECT_THAT(rig_.forge({"turn", "show"}).standard_output, HasSubstr("forge turn done"));
    EXPECT_EQ(exit_code(rig_.forge({"turn", "done"})), 1) << "nothing was changed yet";
    const auto kernel = rig_.fs().read(view / "work/kernel.cpp");
    ASSERT_TRUE(kernel) << listed.standard_output;
    rig_.write(view / "work/kernel.cpp", *kernel + "// by hand\n");
    EXPECT_EQ(exit_code(rig_.forge({"turn", "done", "--note", "by hand"})), 0);
  }
  const State state = rig_.state(made);
  ASSERT_TRUE(state.finished);
  ASSERT_GT(state.rounds.size(), 1u);
  EXPECT_THAT(rounds_of(state), HasSubstr(" by hand "));
  EXPECT_THAT(report(made), HasSubstr("The boundary was advisory"));
}

TEST_F(AgentsProgram, AnAgentThatCanNotBeMadeIsOneLineAndMakesNoRun) {
  use("[student]\nbackend = \"openai\"\nmodel = \"m\"\nkey = \"NO_SUCH_KEY\"\n");
  expect_one_line_error(rig_.forge({"new", "saxpy"}), {"NO_SUCH_KEY", "local.env"});
  use("[student]\nbackend = \"command\"\ncommand = [\"no-such-program\"]\n");
  expect_one_line_error(rig_.forge({"new", "saxpy"}), {"no-such-program", "PATH"});
  use("[student]\nbackend = \"inbocks\"\n");
  expect_one_line_error(rig_.forge({"new", "saxpy"}), {"agents.toml:2", "did you mean 'inbox'?"});
  EXPECT_FALSE(rig_.fs().exists(rig_.artifacts()));
}

TEST_F(AgentsProgram, DoctorSaysOfEachRoleWhetherItCouldTakeATurn) {
  use("[student]\nbackend = \"inbox\"\n[teacher]\nbackend = \"openai\"\nmodel = \"m\"\n"
      "url = \"http://127.0.0.1:1\"\nkey = \"\"\n");
  const auto result = rig_.forge({"doctor"});
  EXPECT_EQ(exit_code(result), 1);
  EXPECT_THAT(result.standard_output,
              AllOf(HasSubstr("ok        student"), HasSubstr("MISSING   teacher"),
                    HasSubstr("127.0.0.1:1")));
}

TEST_F(AgentsProgram, AKeyMayStandInLocalEnv) {
  rig_.write(rig_.folder() / "local.env", "MY_KEY=sk-secret-12345\n");
  use("[student]\nbackend = \"openai\"\nmodel = \"m\"\nkey = \"MY_KEY\"\n");
  const Path made = rig_.new_run();
  const auto frozen = rig_.fs().read(made / "agents.toml");
  ASSERT_TRUE(frozen);
  EXPECT_THAT(*frozen, AllOf(HasSubstr("MY_KEY"), Not(HasSubstr("sk-secret"))));
}

}  // namespace
}  // namespace forge
