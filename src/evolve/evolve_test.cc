// Whole chains without a process.
#include "evolve/evolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evolve/chain_report.h"
#include "fakes/fake_chain.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Evolve, ClimbsEveryRungOfALadderAndStops) {
  constexpr int kRungs = 4;
  FakeChain chain(kRungs);
  const ChainState state = chain.evolve_to_end();
  EXPECT_EQ(state.finished->why, ChainEnd::kInsideNoiseFloor) << state.finished->detail;
  ASSERT_EQ(state.generations.size(), kRungs + 1u);
  EXPECT_EQ(gains(state).size(), std::size_t{kRungs});
  for (int rung = 1; rung <= kRungs; ++rung) {
    const Path task = generation_task("tasks/norm", "norm", rung);
    EXPECT_TRUE(chain.world.fs.exists(task / "task.toml")) << task;
  }
  // Side by side in one job, not multiplied.
  ASSERT_TRUE(state.cumulative) << "no generation gained";
  ASSERT_EQ(state.cumulative->ratios.size(), std::size_t{kRungs}) << state.cumulative->failure;
  for (const CumulativeRatio& each : state.cumulative->ratios) {
    EXPECT_NEAR(each.measured.ratio.point, std::pow(1.08, each.generation + 1), 0.01);
  }
  EXPECT_EQ(chain.world.delivery.jobs.back().kind, JobKind::kConfirm);
  EXPECT_EQ(chain.world.delivery.jobs.back().arms.size(), kRungs + 1u);
}

TEST(Evolve, LaterGenerationsHaveTheStepAsTheirGoalAndTheFirstOneItsOwn) {
  FakeChain chain(1);
  chain.request.step = 1.07;
  chain.evolve_to_end();
  EXPECT_THAT(*chain.world.fs.read("tasks/norm-g1/task.toml"), HasSubstr("ratio = 1.07"));
  EXPECT_THAT(*chain.world.fs.read("tasks/norm/task.toml"), HasSubstr("ratio = 3.0"));
}

TEST(Evolve, ACapEndsTheChainAndTheGainIsStillWritten) {
  FakeChain chain(4);
  chain.request.max_generations = 2;
  const ChainState state = chain.evolve_to_end();
  EXPECT_EQ(state.finished->why, ChainEnd::kCapReached);
  EXPECT_EQ(state.generations.size(), 2u);
  EXPECT_TRUE(chain.world.fs.exists("tasks/norm-g2/task.toml"));
}

TEST(Evolve, AStartKernelThatIsItsReferenceStopsAtGenerationZero) {
  // The 1 % of a confirmation is two-sided, and a gain must be above the floor besides: of 300
  // chains 3 may be wrong by chance, and more than 6 with a probability below 4 %.
  constexpr int kChains = 300;
  int wrong = 0;
  for (int seed = 0; seed < kChains; ++seed) {
    FakeChain chain(0);
    chain.world.delivery.trial_sd = 0.05;
    chain.world.delivery.noise = Random(static_cast<std::uint64_t>(seed));
    if (!gains(chain.evolve_to_end()).empty()) ++wrong;
  }
  EXPECT_LE(wrong, 6);
  RecordProperty("wrong", wrong);
}

TEST(Evolve, KilledAtAnyStepTheChainGoesOnToTheSameEnd) {
  FakeChain undisturbed(2);
  const std::string expected = essence(undisturbed.evolve_to_end());
  const std::uint64_t steps = undisturbed.world.fs.steps();
  // A stride that is coprime to every period of the steps: all kinds of moments are met.
  for (std::uint64_t step = 1; step <= steps; step += 23) {
    FakeChain chain(2);
    chain.world.fs.fail_step(step, FaultSpan::kFromThenOn,
                             Error{ErrorKind::kInfrastructure, "", "", "killed here", ""});
    EXPECT_FALSE(chain.evolve()) << "step " << step << " was not reached";
    chain.world.fs.clear_faults();
    ASSERT_EQ(essence(chain.evolve_to_end()), expected) << "step " << step;
    ASSERT_EQ(find_runs(chain.world.fs, ".artifacts")->size(), 3u) << "step " << step;
  }
}

TEST(Evolve, ASecondDriverIsRefusedAndTheFirstOneNamed) {
  FakeChain chain(1);
  ASSERT_TRUE(chain.world.fs.make_directories(chain.paths().root()));
  const auto lock = chain.world.fs.try_lock(chain.paths().lock(), "forge evolve, process 42");
  ASSERT_TRUE(lock);
  const auto refused = chain.evolve();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kBusy);
  EXPECT_THAT(refused.error().message(), HasSubstr("process 42"));
}

TEST(Evolve, OtherSettingsOrAnotherProblemAreAnotherChain) {
  FakeChain chain(1);
  chain.evolve_to_end();
  chain.request.step = 1.2;
  EXPECT_THAT(chain.evolve().error().message(), HasSubstr("step 1.05"));
  chain.request.step.reset();
  chain.request.max_generations = 7;
  EXPECT_THAT(chain.evolve().error().message(), HasSubstr("cap of 0"));
  chain.request.max_generations.reset();
  EXPECT_TRUE(chain.evolve()) << "a finished chain only writes its report again";
  chain.world.fs.add_file("tasks/norm/description.md", "Something else.\n");
  EXPECT_THAT(chain.evolve().error().message(), HasSubstr("it changed since its chain began"));
}

TEST(Evolve, AGenerationIsNotEvolvedByItself) {
  FakeChain chain(1);
  chain.evolve_to_end();
  chain.request.task = "tasks/norm-g1";
  EXPECT_THAT(chain.evolve().error().message(), HasSubstr("generation 1 of 'norm'"));
}

TEST(Evolve, NothingThatAStudentIsGivenHoldsTheOldKernel) {
  FakeChain chain(2);
  const std::string secret = "// nobody who starts from the start kernel can know this line\n";
  class Marking : public Backend {
   public:
    Marking(Backend& inner, FakeFs& fs, std::string mark, int& leaks)
        : inner_(inner), fs_(fs), mark_(std::move(mark)), leaks_(leaks) {}
    std::string_view name() const override { return inner_.name(); }
    std::string model() const override { return inner_.model(); }
    Result<TurnOutcome> take_turn(const Turn& turn) override {
      const bool is_later = fs_.exists("tasks/norm-g1/task.toml");
      if (is_later) look(turn);
      auto outcome = inner_.take_turn(turn);
      const Path kernel = turn.workspace / kKernelFile;
      if (!is_later && turn.role == Role::kStudent && fs_.exists(kernel)) {
        EXPECT_TRUE(fs_.write_atomic(kernel, *fs_.read(kernel) + mark_));
      }
      return outcome;
    }

   private:
    void look(const Turn& turn) {
      std::string all = turn.prompt + turn.brief.dump();
      const auto files = list_files_recursively(fs_, turn.view);
      ASSERT_TRUE(files);
      for (const Path& file : *files) all += *fs_.read(turn.view / file);
      if (turn.role == Role::kStudent && all.find("can know this line") != std::string::npos) {
        ++leaks_;
      }
      ++looks;
    }
    Backend& inner_;
    FakeFs& fs_;
    std::string mark_;
    int& leaks_;

   public:
    int looks = 0;
  };
  int leaks = 0;
  auto inner = std::move(chain.world.backend);
  auto marking = std::make_unique<Marking>(*inner, chain.world.fs, secret, leaks);
  Marking* seen = marking.get();
  chain.world.backend = std::move(marking);
  const ChainState state = chain.evolve_to_end();
  const auto old_kernel = chain.world.fs.read("tasks/norm-g1/reference/kernel.cpp");
  ASSERT_TRUE(old_kernel) << essence(state);
  EXPECT_THAT(*old_kernel, HasSubstr("can know this line"))
      << "the mark must be in the old kernel for this test to mean anything";
  EXPECT_GT(seen->looks, 0);
  EXPECT_EQ(leaks, 0);
}

TEST(Evolve, AMissingCumulativeRatioDoesNotUndoTheLinks) {
  FakeChain chain(1);
  chain.world.delivery.before_job = [](const JobSpec& job) -> std::optional<Error> {
    const bool is_cumulative =
        job.kind == JobKind::kConfirm && job.arms.size() == 2 && job.id == "0001";
    if (!is_cumulative) return std::nullopt;
    return Error{ErrorKind::kInfrastructure, "cannot run", "job 0001", "the host is gone", ""};
  };
  const ChainState state = chain.evolve_to_end();
  EXPECT_THAT(state.cumulative->failure, HasSubstr("the host is gone"));
  EXPECT_EQ(gains(state).size(), 1u);
}

}  // namespace
}  // namespace forge
