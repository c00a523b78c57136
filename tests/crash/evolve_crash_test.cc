// A chain of generations driven by the real programs, killed and interrupted: `forge evolve` goes
// on, each generation has one run, and nothing stays behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <set>

#include "base/random.h"
#include "evolve/chain_journal.h"
#include "evolve/chain_paths.h"
#include "program_rig.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr int kKills = 8;
constexpr std::uint64_t kLongestDelayMs = 3000;

// The work done fifty times over, so that generation 0 gains for certain.
constexpr const char* kSlowReference = R"cpp(#include "forge_args.h"

                                             extern "C" int forge_launch(const Args* args, void*) {
                                               for (int pass = 0; pass < 50; ++pass) {
                                                 for (std::int64_t i = 0; i < args->dims.n; ++i) {
                                                   args->y[i] = args->a * args->x[i] + args->z[i];
                                                 }
                                                 asm volatile("" ::: "memory");
                                               }
                                               return 0;
                                             }
)cpp";

class EvolveCrash : public testing::Test {
 protected:
  EvolveCrash() { rig_.write(rig_.task() / "reference/saxpy.cpp", kSlowReference); }

  std::vector<std::string> command() const { return {"evolve", "saxpy", "--generations", "2"}; }
  ChainPaths paths() const { return {rig_.artifacts(), "saxpy"}; }

  std::string record() {
    return rig_.fs().exists(paths().journal()) ? rig_.fs().read(paths().journal()).value() : "";
  }

  ChainState state() {
    const auto journal = read_chain_journal(rig_.fs(), paths().journal());
    EXPECT_TRUE(journal) << journal.error().message();
    if (!journal) return {};
    const auto folded = fold(*journal);
    EXPECT_TRUE(folded) << folded.error().message();
    return folded ? *folded : ChainState{};
  }

  void wait_for_first_run(Child& driver) {
    while (record().find("generation_opened") == std::string::npos) {
      const auto ended = driver.wait(std::chrono::milliseconds(5));
      ASSERT_TRUE(ended && !*ended) << "the driver ended";
    }
  }

  // Whether the chain ended before it could be killed.
  bool kill_after(std::chrono::milliseconds delay) {
    const std::string before = record();
    const auto driver = rig_.start(command());
    const auto ended = driver->wait(delay);
    EXPECT_TRUE(ended);
    if (!ended || *ended) return true;
    EXPECT_EQ(kill(driver->pid(), SIGKILL), 0);
    EXPECT_TRUE(driver->wait(std::chrono::seconds(10)));
    EXPECT_THAT(rig_.processes_left(), IsEmpty());
    EXPECT_THAT(record(), StartsWith(before)) << "events were lost";
    return false;
  }

  void expect_whole_chain() {
    const ChainState chain = state();
    ASSERT_TRUE(chain.finished.has_value());
    EXPECT_EQ(chain.generations.size(), 2u);
    // Whether the second one gains as well is for the machine to say.
    EXPECT_GE(chain.written.size(), 1u);
    EXPECT_LE(chain.written.size(), 2u);
    EXPECT_TRUE(chain.cumulative.has_value());
    std::set<std::string> runs;
    for (const Generation& generation : chain.generations) {
      EXPECT_TRUE(generation.ended.has_value());
      runs.insert(generation.opened.run);
      expect_whole_and_finished(rig_.journal(rig_.artifacts() / generation.opened.run));
    }
    EXPECT_EQ(runs.size(), chain.generations.size());
    std::size_t folders = 0;
    for (const auto& entry : std::filesystem::directory_iterator(rig_.artifacts())) {
      if (entry.is_directory()) ++folders;
    }
    EXPECT_EQ(folders, runs.size() + 1) << "a run was made twice";
    for (const ProblemWritten& problem : chain.written) {
      EXPECT_TRUE(rig_.fs().exists(rig_.folder() / problem.task / "task.toml")) << problem.task;
    }
    EXPECT_TRUE(rig_.fs().exists(paths().report()));
  }

  ProgramRig rig_{CacheKind::kShared};
};

TEST_F(EvolveCrash, KilledAtRandomMomentsTheChainGoesOnAndEachGenerationHasOneRun) {
  Random random(20'241'130);
  bool ended = false;
  for (int i = 0; i < kKills && !ended; ++i) {
    ended = kill_after(std::chrono::milliseconds(random.below(kLongestDelayMs)));
  }
  const ProcessResult end = rig_.forge(command());
  ASSERT_THAT(exit_code(end), testing::AnyOf(0, 2)) << end.standard_error;
  expect_whole_chain();
  EXPECT_THAT(rig_.processes_left(), IsEmpty());
  // A chain that has ended is not gone through again.
  const std::string whole = record();
  EXPECT_EQ(exit_code(rig_.forge(command())), exit_code(end));
  EXPECT_EQ(record(), whole);
  expect_one_line_error(rig_.forge({"evolve", "saxpy", "--step", "1.5"}),
                        {"its chain has step 1.05"});
}

TEST_F(EvolveCrash, CtrlCLosesNothingAndASecondDriverIsToldWhoHoldsTheChain) {
  const auto driver = rig_.start(command());
  wait_for_first_run(*driver);
  expect_one_line_error(rig_.forge(command()),
                        {"forge evolve: ", "process " + std::to_string(driver->pid())});
  ASSERT_EQ(kill(driver->pid(), SIGINT), 0);
  const auto end = driver->wait(std::chrono::seconds(10));
  ASSERT_TRUE(end && *end) << "it did not stop";
  EXPECT_EQ(exit_code(**end), 130) << (*end)->standard_error;
  EXPECT_THAT((*end)->standard_error, HasSubstr("go on with: forge evolve saxpy"));
  EXPECT_THAT(rig_.processes_left(), IsEmpty());
  EXPECT_FALSE(state().finished);
}

}  // namespace
}  // namespace forge
