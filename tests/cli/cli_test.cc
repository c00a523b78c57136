// The real executable on good and bad input: exit codes, one-line errors, and what it writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/cli_fixture.h"
#include "run/paths.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

// Exit 1, nothing on stdout, one line on stderr that begins with `begin` and holds `part`.
void expect_one_line_error(const ProcessResult& result, const std::string& begin,
                           const std::string& part) {
  EXPECT_EQ(exit_code(result), 1);
  EXPECT_THAT(result.standard_output, IsEmpty());
  EXPECT_THAT(result.standard_error, StartsWith(begin));
  EXPECT_THAT(result.standard_error, HasSubstr(part));
  EXPECT_EQ(std::count(result.standard_error.begin(), result.standard_error.end(), '\n'), 1)
      << result.standard_error;
}

TEST_F(Cli, VersionNamesVersionAndCompiler) {
  const auto result = forge({"--version"});
  EXPECT_EQ(exit_code(result), 0);
  EXPECT_THAT(result.standard_output, StartsWith("forge "));
  EXPECT_THAT(result.standard_output, HasSubstr("compiler "));
}

TEST_F(Cli, UnknownSubcommandsAndOptionsGetOneLineWithTheNearestName) {
  expect_one_line_error(forge({"statsu"}), "forge: cannot run 'statsu'", "did you mean 'status'?");
  expect_one_line_error(forge({"new", "tasks/double", "--dry-runs"}),
                        "forge new: ", "did you mean '--dry-run'?");
  expect_one_line_error(forge({}), "forge: ", "run forge --help");
}

TEST_F(Cli, NoFlagOverridesTheProblem) {
  expect_one_line_error(forge({"new", "tasks/double", "--goal", "3"}), "forge new: ", "--goal");
}

TEST_F(Cli, AMissingProblemIsOneLine) {
  expect_one_line_error(forge({"new", "tasks/nothing"}), "forge new: cannot read ",
                        "tasks/nothing");
}

struct BrokenTask {
  const char* from;
  const char* to;
  const char* message;
};

TEST_F(Cli, EachFaultInTaskTomlNamesFileAndCause) {
  const BrokenTask cases[] = {
      {"[goal]", "[gaol]", "goal"},
      {"ratio = 1.2", "ratio = \"fast\"", "ratio"},
      {"dtype = \"f32\"", "dtype = \"f33\"", "f33"},
      {"target = \"cpu\"", "target = \"tpu\"", "tpu"},
      {"name = \"double\"", "name = ", "task.toml"},
      {"run = \"reference/double.cpp\"", "run = \"reference/none.cpp\"", "none.cpp"},
      {"oracle = \"check/oracle.cpp\"", "oracle = \"check/none.py\"", "none.py"},
      {"shape = [\"n\"]", "shape = [\"m\"]", "m"},
  };
  for (const BrokenTask& each : cases) {
    break_task(each.from, each.to);
    for (const auto& arguments : {std::vector<std::string>{"new", "tasks/double"},
                                  std::vector<std::string>{"new", "--dry-run", "tasks/double"}}) {
      const auto result = forge(arguments);
      expect_one_line_error(result, "forge new: ", each.message);
      EXPECT_THAT(result.standard_error, HasSubstr("tasks/double"));
    }
  }
}

TEST_F(Cli, ABadShapesFileIsOneLine) {
  write("tasks/double/shapes.json", "{\"shapes\": [");
  expect_one_line_error(forge({"new", "tasks/double"}), "forge new: ", "shapes.json");
}

TEST_F(Cli, ADryRunPrintsThePlanAndWritesNothing) {
  const std::string before = snapshot();
  const auto result = forge({"new", "tasks/double", "--dry-run"});
  EXPECT_EQ(exit_code(result), 0) << result.standard_error;
  for (const char* part : {"stages: prepare", "1 shapes, 3 shape x group", "reference/double.cpp",
                           "goal: 1.20x", "patience 5", "kReversed", "kVec", "compiler: "}) {
    EXPECT_THAT(result.standard_output, HasSubstr(part));
  }
  EXPECT_EQ(snapshot(), before);
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".artifacts"));
}

TEST_F(Cli, ADryRunFindsAMalformedTunableOfTheStartKernel) {
  write("tasks/double/start/kernel.cpp", "FORGE_TUNABLE(int, kVec, 3, 1, 2)\n");
  expect_one_line_error(forge({"new", "tasks/double", "--dry-run"}), "forge new: ", "kVec");
}

TEST_F(Cli, NewPrintsTheRunsDirectoryAloneOnTheLastLine) {
  const Path run = new_run();
  EXPECT_TRUE(std::filesystem::exists(run / "journal.jsonl")) << run;
  EXPECT_TRUE(std::filesystem::exists(run / "problem/task.toml"));
  EXPECT_EQ(run.parent_path().filename(), ".artifacts");
}

TEST_F(Cli, StatusWithoutRunsSaysHowToMakeOne) {
  const auto text = forge({"status"});
  EXPECT_EQ(exit_code(text), 0);
  EXPECT_THAT(text.standard_output, HasSubstr("forge new TASK"));
  const auto json = forge({"status", "--json"});
  EXPECT_EQ(json.standard_output, "[]\n");
}

TEST_F(Cli, StatusListsEachRunAndOneThatIsDamagedDoesNotHideTheOthers) {
  const Path good = new_run();
  const Path bad = new_run();
  write((bad / "journal.jsonl").lexically_relative(folder_).string(), "nonsense\nnonsense\n");
  const auto text = forge({"status"});
  EXPECT_EQ(exit_code(text), 0);
  EXPECT_THAT(text.standard_output, HasSubstr(good.filename().string() + " "));
  EXPECT_THAT(text.standard_output, HasSubstr("unreadable"));
  const auto json = forge({"status", "--json"});
  EXPECT_THAT(json.standard_output, HasSubstr("\"stage\":\"prepare\""));
}

TEST_F(Cli, ShowTakesAPrefixOfTheName) {
  const Path run = new_run();
  const auto result = forge({"show", run.filename().string().substr(0, 9)});
  EXPECT_EQ(exit_code(result), 0) << result.standard_error;
  EXPECT_THAT(result.standard_output, HasSubstr("prepare   now"));
}

TEST_F(Cli, UnknownRunsAreOneLine) {
  for (const char* subcommand : {"show", "run", "report"}) {
    expect_one_line_error(forge({subcommand, "nothing"}),
                          std::string("forge ") + subcommand + ": cannot find run nothing",
                          "forge new TASK");
  }
}

TEST_F(Cli, ReportOfARunThatHasNotBegunQuotesNoRatio) {
  const Path run = new_run();
  const auto result = forge({"report", run.filename().string()});
  EXPECT_EQ(exit_code(result), 0) << result.standard_error;
  EXPECT_THAT(result.standard_output, HasSubstr("Nothing was confirmed"));
  EXPECT_EQ(fs_->read(run / "report.md").value(), result.standard_output);
}

TEST_F(Cli, ASecondDriverIsRefusedAndTheFirstOneNamed) {
  const Path run = new_run();
  const auto held = fs_->try_lock(RunPaths(run).lock(), "forge run, process 4711");
  ASSERT_TRUE(held) << held.error().message();
  expect_one_line_error(forge({"run", run.string()}, {{"FK_WORKER", "/bin/true"}}),
                        "forge run: ", "process 4711");
}

TEST_F(Cli, AMissingWorkerIsOneLineThatSaysHowToGetIt) {
  const Path run = new_run();
  expect_one_line_error(forge({"run", run.string()}, {{"FK_WORKER", "/nonexistent"}}),
                        "forge run: cannot find the worker /nonexistent", "FK_WORKER");
}

TEST_F(Cli, JudgeRefusesAKernelThatIsNotThere) {
  expect_one_line_error(forge({"judge", "tasks/double", "none.cpp"}),
                        "forge judge: cannot read none.cpp", "there is no such file");
}

TEST_F(Cli, JudgeLeavesNoTemporaryFolderBehindWhenTheWorkerFails) {
  write("kernel.cpp", kStartKernel);
  const auto result = forge({"judge", "tasks/double", "kernel.cpp"}, {{"FK_WORKER", "/bin/true"}});
  EXPECT_EQ(exit_code(result), 1);
  EXPECT_THAT(result.standard_error, HasSubstr("left no result"));
  EXPECT_THAT(fs_->list(folder_ / "cache/forgekernel/judging").value(), IsEmpty());
}

TEST_F(Cli, DoctorNamesWhatIsMissingWithTheCommandThatFixesIt) {
  const auto result = forge({"doctor"}, {{"FK_CXX", "/nonexistent/g++"}});
  EXPECT_EQ(exit_code(result), 1);
  EXPECT_THAT(result.standard_output, HasSubstr("MISSING"));
  EXPECT_THAT(result.standard_output, HasSubstr("apt-get install g++"));
}

TEST_F(Cli, HelpIsNotAnError) {
  for (const auto& arguments : {std::vector<std::string>{"--help"}, {"judge", "--help"}}) {
    const auto result = forge(arguments);
    EXPECT_EQ(exit_code(result), 0);
    EXPECT_THAT(result.standard_output, Not(IsEmpty()));
    EXPECT_THAT(result.standard_error, IsEmpty());
  }
}

TEST_F(Cli, AnMcpServerOffersTheToolsOfATurnOverStandardInputAndOutput) {
  write("view/brief.json", R"({"format": 1, "task": "row"})");
  write("view/work/kernel.cpp", "the kernel");
  ProcessSpec spec;
  spec.argv = {FORGE_EXECUTABLE, "mcp", "view"};
  spec.working_directory = folder_;
  spec.limits.wall = std::chrono::seconds(60);
  spec.standard_input =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read",)"
      R"("arguments":{"path":"work/kernel.cpp"}}})"
      "\n"
      R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"finish",)"
      R"("arguments":{"outcome":"pass","note":"all is tried"}}})"
      "\n";
  const auto result = processes_->run(spec);
  ASSERT_TRUE(result);
  EXPECT_EQ(exit_code(*result), 0) << result->standard_error;
  EXPECT_EQ(std::count(result->standard_output.begin(), result->standard_output.end(), '\n'), 3);
  EXPECT_THAT(result->standard_output, HasSubstr("the kernel"));
  EXPECT_EQ(*fs_->read(folder_ / "view/work/note.txt"), "pass: all is tried\n");
}

TEST_F(Cli, AnMcpServerInAFolderThatIsNoTurnIsOneLine) {
  expect_one_line_error(forge({"mcp"}), "forge mcp: cannot offer tools in", "forge turn list");
}

TEST_F(Cli, ADryRunNamesWhoPlaysWhichRole) {
  write("agents.toml", "[student]\nbackend = \"inbox\"\n");
  EXPECT_THAT(forge({"new", "tasks/double", "--dry-run"}).standard_output,
              HasSubstr("student: inbox"));
  expect_one_line_error(forge({"new", "tasks/double", "--dry-run", "--agents", "none.toml"}),
                        "forge new: ", "none.toml");
}

}  // namespace
}  // namespace forge
