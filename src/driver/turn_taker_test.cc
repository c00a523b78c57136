// Turns as the driver lays them out, takes them and writes them down, in a whole fake run.
#include "driver/turn_taker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/inbox.h"
#include "agent/replay.h"
#include "fakes/fake_run.h"

namespace forge {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// Does to a turn whatever a test wants, and keeps what it was shown.
class Scripted : public Backend {
 public:
  using Script = std::function<Result<TurnOutcome>(const Turn&)>;
  explicit Scripted(Script script) : script_(std::move(script)) {}
  std::string_view name() const override { return "scripted"; }
  std::string model() const override { return "a script"; }
  Result<TurnOutcome> take_turn(const Turn& turn) override { return script_(turn); }

 private:
  Script script_;
};

class TurnTakerTest : public ::testing::Test {
 protected:
  void create() {
    const auto run = world_.create();
    ASSERT_TRUE(run) << run.error().message();
  }
  RunPaths paths() { return RunPaths(world_.run); }
  // The student is a script, the teacher the builtin agent.
  void let_student(Scripted::Script script) {
    world_.teacher = make_builtin_backend(world_.fs);
    world_.backend = std::make_unique<Scripted>(std::move(script));
  }
  std::vector<std::string> names_in(const Path& folder) {
    std::vector<std::string> names;
    const auto files = list_files_recursively(world_.fs, folder);
    for (const Path& file : *files) {
      names.push_back(file.generic_string());
    }
    return names;
  }

  FakeRun world_;
};

std::string kernels_of(const State& state) {
  std::string text;
  for (const auto& round : state.rounds) {
    text += round.started.row + " " + round.started.tried + " " + round.started.source + " " +
            std::string(round.judged ? verdict_text(round.judged->verdict) : "") + "\n";
  }
  return text;
}

// Answers a waiting turn as the builtin agent would, from nothing but what lies in its view.
void answer_like_the_builtin(FakeRun& world) {
  const RunPaths paths(world.run);
  const auto names = world.fs.list(world.run / "turns");
  for (const std::string& name : *names) {
    const auto open = find_open_turn(world.fs, world.run / "turns" / name);
    ASSERT_TRUE(open) << open.error().message();
    if (!*open) continue;
    Turn turn;
    turn.role = (*open)->role;
    turn.workspace = (*open)->workspace;
    turn.brief = *parse_json(*world.fs.read((*open)->view / "brief.json"), "brief");
    const auto outcome = make_builtin_backend(world.fs)->take_turn(turn);
    ASSERT_TRUE(outcome) << outcome.error().message();
    ASSERT_TRUE(
        answer_turn(world.fs, **open, {std::string(outcome_name(*outcome)), words_of(*outcome)}));
  }
}

void use_inbox(FakeRun& world) {
  const AgentWorld agents = world.agent_world();
  world.backend = make_inbox_backend(world.fs, {agents.interrupted, agents.pause});
  world.between_looks = [&world] { answer_like_the_builtin(world); };
}

TEST_F(TurnTakerTest, AWholeRunByInboxNeedsNothingButTheViews) {
  create();
  const std::string by_builtin = kernels_of(world_.drive_to_end());
  FakeRun other;
  ASSERT_TRUE(other.create());
  use_inbox(other);
  const State state = other.drive_to_end();
  EXPECT_EQ(kernels_of(state), by_builtin);
  EXPECT_EQ(state.finished->ending, Ending::kGoalConfirmed);
}

TEST_F(TurnTakerTest, AnInterruptedInboxKeepsWhatLiesInTheTurnsFolder) {
  create();
  use_inbox(world_);
  const auto answer = world_.between_looks;
  Path begun;
  world_.between_looks = [&] {
    begun = paths().turn_workspace(1);
    world_.fs.add_file(begun / "notes.txt", "half an idea");
    world_.interrupt = true;
  };
  ASSERT_TRUE(std::holds_alternative<Interrupted>(*world_.drive()));
  world_.interrupt = false;
  world_.between_looks = [&] {
    EXPECT_TRUE(begun != paths().turn_workspace(1) || world_.fs.exists(begun / "notes.txt"));
    answer();
  };
  EXPECT_EQ(world_.drive_to_end().finished->ending, Ending::kGoalConfirmed);
}

TEST_F(TurnTakerTest, AReplayLeadsToTheSameRoundsWithTheSameKernels) {
  create();
  const Path recorded = world_.run;
  const std::string first = kernels_of(world_.drive_to_end());
  world_.run.clear();
  ASSERT_TRUE(world_.create());
  ASSERT_NE(world_.run, recorded);
  world_.backend = make_replay_backend(world_.fs, recorded);
  EXPECT_EQ(kernels_of(world_.drive_to_end()), first);
}

TEST_F(TurnTakerTest, AStudentsViewHoldsWhatItNeedsAndNothingElse) {
  world_.fs.add_file("hw_kb/cpu/stores.md", "streaming stores\n");
  create();
  std::vector<std::string> seen;
  std::string all;
  let_student([&](const Turn& turn) {
    seen = names_in(turn.view);
    for (const std::string& name : seen) all += *world_.fs.read(turn.view / name);
    return TurnOutcome(TurnPassed{"seen enough", {}});
  });
  world_.drive_to_end();
  EXPECT_THAT(seen, UnorderedElementsAre(
                        "prompt.md", "brief.json", "task/description.md", "task/shapes.json",
                        "task/check/oracle.py", "milestones/M0.toml", "milestones/M1.toml",
                        "best/kernel.cpp", "include/forge/kernel.h", "knowledge/cpu/stores.md",
                        "include/forge_args.h", "work/kernel.cpp"));
  EXPECT_THAT(all, AllOf(Not(HasSubstr("reference\n")), Not(HasSubstr("reference/norm.py"))));
  const auto secrets = world_.fs.read(paths().secrets());
  const auto json = parse_json(*secrets, "secrets");
  for (const auto& seed : *json->find("round_seeds")->as_array()) {
    EXPECT_THAT(all, Not(HasSubstr(seed.dump())));
  }
}

TEST_F(TurnTakerTest, ATeacherSeesTheReferenceOnlyWhereTheProblemGivesItsSource) {
  for (const bool gives : {true, false}) {
    FakeRun world;
    if (gives) {
      world.fs.add_file("tasks/norm/task.toml",
                        fake_task("run = \"reference/norm.py\"",
                                  "run = \"reference/norm.py\"\nsource = [\"reference/norm.py\"]"));
    }
    ASSERT_TRUE(world.create());
    std::vector<std::string> seen;
    std::string prompt;
    world.teacher = std::make_unique<Scripted>([&](const Turn& turn) {
      const auto files = list_files_recursively(world.fs, turn.view);
      for (const Path& file : *files) {
        seen.push_back(file.generic_string());
      }
      prompt = turn.prompt;
      return TurnOutcome(TurnPassed{"nothing", {}});
    });
    world.drive_to_end();
    EXPECT_THAT(seen, Contains("kernel.cpp"));
    EXPECT_THAT(seen, Not(Contains(HasSubstr("hidden"))));
    if (gives) {
      EXPECT_THAT(seen, Contains("reference/norm.py"));
      EXPECT_THAT(prompt, HasSubstr("`reference/`"));
    } else {
      EXPECT_THAT(seen, Not(Contains(HasSubstr("reference"))));
      EXPECT_THAT(prompt, Not(HasSubstr("`reference/`")));
    }
  }
}

TEST_F(TurnTakerTest, AProblemWhoseJudgeHoldsItsReferenceIsNotShown) {
  world_.fs.add_file("tasks/norm/task.toml",
                     fake_task("run = \"reference/norm.py\"", "run = \"check/norm.py\""));
  world_.fs.add_file("tasks/norm/check/norm.py", "reference\n");
  create();
  const auto end = world_.drive();
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().message(), AllOf(HasSubstr("cannot show"), HasSubstr("check")));
}

// What a turn leaves, and why it is not taken.
TEST_F(TurnTakerTest, LinksFoldersAndOversizedFilesAreNotTaken) {
  struct Case {
    const char* why;
    std::function<void(FakeFs&, const Path&)> leave;
  };
  const Case cases[] = {
      {"symbolic link",
       [](FakeFs& fs, const Path& kernel) {
         ASSERT_TRUE(fs.remove_all(kernel));
         fs.add_link(kernel);
       }},
      {"it is a folder",
       [](FakeFs& fs, const Path& kernel) {
         ASSERT_TRUE(fs.remove_all(kernel));
         ASSERT_TRUE(fs.make_directories(kernel));
       }},
      {"more than 1.00 MiB",
       [](FakeFs& fs, const Path& kernel) {
         fs.add_file(kernel, std::string((1 << 20) + 1, '/'));
       }},
      {"removed the kernel",
       [](FakeFs& fs, const Path& kernel) { ASSERT_TRUE(fs.remove_all(kernel)); }},
      {"changed nothing", [](FakeFs&, const Path&) {}},
      {"no folder any more",
       [](FakeFs& fs, const Path& kernel) {
         ASSERT_TRUE(fs.remove_all(kernel.parent_path()));
         fs.add_link(kernel.parent_path());
       }},
  };
  for (const Case& each : cases) {
    FakeRun world;
    ASSERT_TRUE(world.create());
    world.teacher = make_builtin_backend(world.fs);
    world.backend = std::make_unique<Scripted>([&](const Turn& turn) {
      each.leave(world.fs, turn.workspace / kKernelFile);
      return TurnOutcome(TurnDone{"did it", {}});
    });
    const State state = world.drive_to_end();
    EXPECT_EQ(state.rounds.size(), 1u) << "only the start kernel: " << each.why;
    EXPECT_THAT(*world.fs.read(RunPaths(world.run).journal()), HasSubstr(each.why));
  }
}

TEST_F(TurnTakerTest, TheNextTurnIsToldWhyTheLastCameToNothing) {
  create();
  std::vector<std::string> prompts;
  let_student([&](const Turn& turn) {
    prompts.push_back(turn.prompt);
    return TurnOutcome(TurnDone{"did it", {}});
  });
  world_.drive_to_end();
  ASSERT_GT(prompts.size(), 1u);
  EXPECT_THAT(prompts[0], Not(HasSubstr("came to nothing")));
  EXPECT_THAT(prompts[1], HasSubstr("the turn changed nothing"));
}

TEST_F(TurnTakerTest, OtherFilesOfAStudentReachNeitherTreeNorRecord) {
  create();
  let_student([&](const Turn& turn) {
    const Path kernel = turn.workspace / kKernelFile;
    world_.fs.add_file(kernel, *world_.fs.read(kernel) + "// another kernel\n");
    world_.fs.add_file(turn.workspace / ".git" / "hooks" / "post-commit", "rm -rf\n");
    world_.fs.add_file(turn.view / "task" / "check" / "oracle.py", "always right\n");
    world_.fs.add_file(turn.view / "milestones" / "M0.toml", "easier\n");
    return TurnOutcome(TurnDone{"did it", {}});
  });
  ASSERT_TRUE(world_.drive());
  EXPECT_FALSE(world_.fs.exists(paths().tree() / ".git" / "hooks" / "post-commit"));
  EXPECT_EQ(*world_.fs.read(paths().problem() / "check" / "oracle.py"), "oracle\n");
  EXPECT_THAT(*world_.fs.read(paths().milestone(1, "M0")), Not(HasSubstr("easier")));
}

TEST_F(TurnTakerTest, NoSecretReachesTheRecordAndAKernelThatHoldsOneIsNotTaken) {
  world_.redactor = Redactor({"sk-secret-12345"});
  create();
  let_student([&](const Turn& turn) -> Result<TurnOutcome> {
    Json said = Json::object();
    said.set("text", "my key is sk-secret-12345");
    FORGE_TRY_STATUS(turn.transcript->add("text", said));
    world_.fs.add_file(turn.workspace / "kernel.cpp", "// sk-secret-12345\n");
    return TurnOutcome(TurnDone{"used sk-secret-12345", {}});
  });
  const State state = world_.drive_to_end();
  EXPECT_EQ(state.rounds.size(), 1u);
  for (const std::string& name : names_in(world_.run)) {
    if (name.find("/view/work/") != std::string::npos) continue;  // the agent's own, removed by gc
    EXPECT_THAT(*world_.fs.read(world_.run / name), Not(HasSubstr("sk-secret"))) << name;
  }
}

TEST_F(TurnTakerTest, TheTranscriptHoldsPromptWhatWasLeftAndOutcome) {
  create();
  const State state = world_.drive_to_end();
  ASSERT_GT(state.turns, 1);
  for (int turn = 1; turn <= state.turns; ++turn) {
    const auto entries = read_transcript(world_.fs, paths().turn_transcript(turn));
    ASSERT_TRUE(entries);
    std::vector<std::string> types;
    for (const Json& entry : *entries) types.push_back(*entry.find("type")->as_string());
    EXPECT_THAT(types, testing::ElementsAre("prompt", "left", "outcome")) << "turn " << turn;
  }
}

}  // namespace
}  // namespace forge
