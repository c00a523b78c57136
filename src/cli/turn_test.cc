// forge turn on a fake run whose student is an inbox.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/inbox.h"
#include "cli/exit_code.h"
#include "cli/subcommands.h"
#include "fakes/test_context.h"

namespace forge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<std::string> tried(const State& state) {
  std::vector<std::string> words;
  for (const auto& round : state.rounds) words.push_back(round.started.tried);
  return words;
}

class TurnCommand : public testing::Test {
 protected:
  // Drives the run until a student's turn waits.
  TurnCommand() {
    test_.world.teacher = make_builtin_backend(test_.world.fs);
    begin();
  }
  void begin() {
    auto& world = test_.world;
    EXPECT_TRUE(world.create());
    const AgentWorld agents = world.agent_world();
    world.backend = make_inbox_backend(world.fs, {agents.interrupted, agents.pause});
    world.between_looks = [&world] { world.interrupt = true; };
    EXPECT_TRUE(std::holds_alternative<Interrupted>(*world.drive()));
    world.interrupt = false;
  }
  Result<int> turn(TurnAction action, const std::string& run = "", const std::string& note = "") {
    test_.out.str("");
    auto context = test_.context();
    return run_turn({action, run, note}, context);
  }
  Path kernel() { return RunPaths(test_.world.run).turn_workspace(2) / "kernel.cpp"; }

  TestContext test_;
};

TEST_F(TurnCommand, ListsAndShowsTheTurnThatWaits) {
  ASSERT_TRUE(turn(TurnAction::kList));
  EXPECT_THAT(test_.out.str(), AllOf(HasSubstr("norm_"), HasSubstr("turn 2"), HasSubstr("student"),
                                     HasSubstr("turns/0002/view")));
  ASSERT_TRUE(turn(TurnAction::kShow, "norm"));
  EXPECT_THAT(test_.out.str(), AllOf(HasSubstr("row D0.1"), HasSubstr("forge turn done norm_")));
}

TEST_F(TurnCommand, DoneWithAChangedKernelLetsTheRunGoOn) {
  auto& world = test_.world;
  std::string text = *world.fs.read(kernel());
  text.replace(text.find("kTwoPass, false"), 15, "kTwoPass, true ");
  world.fs.add_file(kernel(), text);
  ASSERT_TRUE(turn(TurnAction::kDone, "", "two passes"));
  EXPECT_THAT(test_.out.str(), HasSubstr("turn 2 of norm_"));
  EXPECT_EQ(turn(TurnAction::kShow).error().kind, ErrorKind::kNotFound) << "nothing waits now";
  EXPECT_TRUE(std::holds_alternative<Interrupted>(*world.drive()));
  EXPECT_THAT(tried(world.state()), testing::Contains("two passes"));
}

TEST_F(TurnCommand, DoneIsRefusedWhileThereIsStillTimeToPutItRight) {
  EXPECT_THAT(turn(TurnAction::kDone).error().message(),
              AllOf(HasSubstr("is as it was"), HasSubstr("forge turn pass")));
  ASSERT_TRUE(test_.world.fs.remove_all(kernel()));
  EXPECT_THAT(turn(TurnAction::kDone).error().message(), HasSubstr("is no file of its own"));
  test_.world.fs.add_link(kernel());
  EXPECT_THAT(turn(TurnAction::kDone).error().message(), HasSubstr("links are not followed"));
  ASSERT_TRUE(turn(TurnAction::kList));
  EXPECT_THAT(test_.out.str(), HasSubstr("turn 2")) << "it still waits";
}

TEST_F(TurnCommand, PassClosesTheRowAndFailCountsAsAFailedTurn) {
  ASSERT_TRUE(turn(TurnAction::kPass, "", "false stays"));
  EXPECT_TRUE(std::holds_alternative<Interrupted>(*test_.world.drive()));
  test_.world.interrupt = false;
  EXPECT_EQ(test_.world.state().milestone("M0")->closed_rows.at("D0.1"), "false stays");
  ASSERT_TRUE(turn(TurnAction::kFail, "norm", "no idea"));
  EXPECT_TRUE(std::holds_alternative<Interrupted>(*test_.world.drive()));
  EXPECT_EQ(test_.world.state().failed_turns, 1);
  EXPECT_EQ(test_.world.state().failure, "no idea");
}

TEST_F(TurnCommand, ATeachersMilestonesAreCheckedBeforeTheyAreTaken) {
  auto& world = test_.world;
  world.teacher = nullptr;  // the inbox plays both roles of a second run
  begin();
  const std::string run = world.run.filename().string();
  ASSERT_TRUE(turn(TurnAction::kShow, run));
  EXPECT_THAT(test_.out.str(), HasSubstr("# Milestones v1"));
  EXPECT_THAT(turn(TurnAction::kDone, run).error().message(), HasSubstr("there are none"));
  const Path work = RunPaths(world.run).turn_workspace(1);
  world.fs.add_file(work / "M0.toml",
                    "id = \"M0\"\ntitle = \"t\"\n[[rows]]\nid = \"D0.1\"\n"
                    "decision = \"d\"\n");
  EXPECT_THAT(turn(TurnAction::kDone, run).error().message(), HasSubstr("D0.1"));
  world.fs.add_file(work / "M0.toml",
                    "id = \"M0\"\ntitle = \"t\"\ngates = [\"correct\"]\n[[rows]]\nid = \"D0.1\"\n"
                    "decision = \"d\"\nvalue = \"v\"\n");
  ASSERT_TRUE(turn(TurnAction::kDone, run, "one row"));
  EXPECT_TRUE(std::holds_alternative<Interrupted>(*world.drive()));
  ASSERT_NE(world.state().milestone("M0"), nullptr);
  EXPECT_THAT(*world.fs.read(RunPaths(world.run).turn_workspace(2) / "../prompt.md"),
              HasSubstr("decision: d"));
}

TEST_F(TurnCommand, AnUnknownRunIsAnErrorThatNamesIt) {
  EXPECT_THAT(turn(TurnAction::kShow, "other").error().message(), HasSubstr("other"));
}

}  // namespace
}  // namespace forge
