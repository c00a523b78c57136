// The real driver with its real workers, compilers and oracles, killed and interrupted: no process
// stays, and `forge run` goes on as if nothing had happened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <set>

#include "base/random.h"
#include "driver/driver.h"
#include "program_rig.h"
#include "run/paths.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr int kKills = 30;
constexpr double kMeanDelayMs = 250;

// One run after another, each killed again and again until it ends by itself.
class KilledRuns {
 public:
  explicit KilledRuns(std::uint64_t seed) : random_(seed) {}

  void kill_at_random_moments(int kills) {
    while (killed_ < kills) {
      if (run_.empty()) run_ = rig_.new_run();
      drive_and_kill();
      if (testing::Test::HasFatalFailure()) return;
    }
    if (!run_.empty()) drive_to_end();
  }

  const std::set<Stage>& stages() const { return stages_; }
  int finished() const { return finished_; }
  ProgramRig& rig() { return rig_; }

 private:
  // Some events later and a random while after that, so that each restart gets somewhere and the
  // moments fall into every stage.
  void drive_and_kill() {
    const std::string before = rig_.journal_text(run_);
    const auto events = rig_.journal(run_).entries.size() + random_.below(3);
    const auto driver = rig_.start({"run", run_.string()});
    const bool reached = rig_.wait_for_events(run_, events, *driver);
    const auto delay_ms = -kMeanDelayMs * std::log(1 - random_.uniform());
    const auto ended = driver->wait(std::chrono::milliseconds(std::lround(delay_ms)));
    ASSERT_TRUE(ended);
    if (*ended) return end_of_run(**ended);
    ASSERT_TRUE(reached);
    ASSERT_EQ(kill(driver->pid(), SIGKILL), 0);
    ASSERT_TRUE(driver->wait(std::chrono::seconds(10)));
    ++killed_;
    ASSERT_THAT(rig_.processes_left(), IsEmpty());
    check_what_is_left(before);
  }

  void check_what_is_left(const std::string& before) {
    const auto state = rig_.state(run_);
    stages_.insert(state.stage());
    ASSERT_THAT(rig_.journal_text(run_), StartsWith(before)) << "events were lost";
    const auto status = rig_.forge({"status"});
    ASSERT_EQ(exit_code(status), 0) << status.standard_error;
    ASSERT_THAT(status.standard_output, HasSubstr(run_.filename().string()));
    ASSERT_THAT(status.standard_output, Not(HasSubstr("unreadable")));
  }

  void drive_to_end() { end_of_run(rig_.forge({"run", run_.string()})); }

  void end_of_run(const ProcessResult& end) {
    ASSERT_THAT(exit_code(end), testing::AnyOf(0, 2)) << end.standard_output << end.standard_error;
    expect_whole_and_finished(rig_.journal(run_));
    EXPECT_TRUE(rig_.fs().exists(RunPaths(run_).report()));
    EXPECT_THAT(rig_.processes_left(), IsEmpty());
    ++finished_;
    run_.clear();
  }

  ProgramRig rig_{CacheKind::kOwn};
  Random random_;
  Path run_;
  int killed_ = 0;
  int finished_ = 0;
  std::set<Stage> stages_;
};

// Folders and files of makers that were killed, below a run's or the cache's folder.
std::vector<std::string> left_overs(Fs& fs, const Path& folder) {
  std::vector<std::string> found;
  const auto files = list_files_recursively(fs, folder);
  EXPECT_TRUE(files);
  for (const auto& file : files.value_or(std::vector<Path>())) {
    if (file.string().find(".tmp") != std::string::npos) found.push_back(file.string());
  }
  return found;
}

TEST(ProgramCrash, KilledAtThirtyRandomMomentsRunsEndWithEachRoundJudgedOnce) {
  KilledRuns runs(20'240'601);
  runs.kill_at_random_moments(kKills);
  EXPECT_GE(runs.finished(), 1);
  EXPECT_GE(runs.stages().size(), 3u) << "the moments were not spread over the stages";
  // Whoever comes next clears away what the killed ones left.
  auto& rig = runs.rig();
  const Path run = rig.new_run();
  EXPECT_THAT(exit_code(rig.forge({"run", run.string()})), testing::AnyOf(0, 2));
  EXPECT_THAT(left_overs(rig.fs(), rig.artifacts()), IsEmpty());
  EXPECT_THAT(left_overs(rig.fs(), rig.cache()), IsEmpty());
}

// Where each of the last three events begins, and where the last one ends.
std::vector<std::size_t> last_three(const std::string& journal) {
  std::vector<std::size_t> bounds = {journal.size()};
  for (int i = 0; i < 3; ++i) {
    bounds.insert(bounds.begin(), journal.rfind('\n', bounds.front() - 2) + 1);
  }
  return bounds;
}

TEST(ProgramCrash, ACutInItsLastThreeEventsIsCompletedToTheSameEnd) {
  ProgramRig rig(CacheKind::kShared);
  const Path run = rig.new_run();
  const auto first = rig.forge({"run", run.string()});
  ASSERT_THAT(exit_code(first), testing::AnyOf(0, 2)) << first.standard_error;
  const auto journal = rig.journal_text(run);
  const auto expected = rig.state(run);
  ASSERT_TRUE(expected.finished);
  const auto bounds = last_three(journal);

  for (auto bytes = bounds.front(); bytes <= journal.size(); ++bytes) {
    rig.write(RunPaths(run).journal(), journal.substr(0, bytes));
    const auto whole = expected.events - std::count_if(bounds.begin() + 1, bounds.end(),
                                                       [&](auto end) { return end > bytes; });
    const auto read = read_journal(rig.fs(), RunPaths(run).journal());
    ASSERT_TRUE(read) << bytes << " bytes: " << read.error().message();
    const auto state = read_state(rig.fs(), run);
    ASSERT_TRUE(state) << bytes << " bytes: " << state.error().message();
    ASSERT_EQ(state->events, whole) << bytes << " bytes";
    ASSERT_EQ(read->notice.empty(), journal[bytes - 1] == '\n') << bytes << " bytes";
  }

  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    cuts.insert(cuts.end(), {bounds[i], (bounds[i] + bounds[i + 1]) / 2, bounds[i + 1] - 1});
  }
  for (const auto bytes : cuts) {
    rig.write(RunPaths(run).journal(), journal.substr(0, bytes));
    const auto end = rig.forge({"run", run.string()});
    EXPECT_EQ(exit_code(end), exit_code(first)) << bytes << " bytes: " << end.standard_error;
    const auto state = rig.state(run);
    ASSERT_TRUE(state.finished);
    EXPECT_EQ(state.finished->ending, expected.finished->ending) << bytes << " bytes";
    EXPECT_EQ(state.finished->why, expected.finished->why) << bytes << " bytes";
    EXPECT_EQ(state.rounds.size(), expected.rounds.size());
    expect_whole_and_finished(rig.journal(run));
  }
}

// Interrupts a driver as soon as its run has that many events, which is in the middle of a job.
void interrupt_after(std::size_t events, const Path& run, ProgramRig& rig) {
  const auto driver = rig.start({"run", run.string()});
  ASSERT_TRUE(rig.wait_for_events(run, events, *driver));
  sleep_ms(100);
  expect_one_line_error(rig.forge({"run", run.string()}),
                        {"forge run: ", "process " + std::to_string(driver->pid())});
  ASSERT_EQ(kill(driver->pid(), SIGINT), 0);
  const auto end = driver->wait(std::chrono::seconds(10));
  ASSERT_TRUE(end && *end) << "it did not stop";
  EXPECT_EQ(exit_code(**end), 130) << (*end)->standard_error;
  EXPECT_THAT((*end)->standard_output, HasSubstr("go on with: forge run " + run.string()));
  EXPECT_THAT(rig.processes_left(), IsEmpty());
  EXPECT_THAT(rig.journal(run).notice, IsEmpty());
}

TEST(ProgramCrash, CtrlCStopsWithoutLossAndASecondDriverIsToldWhoHoldsTheRun) {
  ProgramRig rig(CacheKind::kShared);
  const Path run = rig.new_run();
  constexpr std::size_t kAligning = 2;
  constexpr std::size_t kFirstRound = 7;
  interrupt_after(kAligning, run, rig);
  interrupt_after(kFirstRound, run, rig);
  const auto end = rig.forge({"run", run.string()});
  EXPECT_THAT(exit_code(end), testing::AnyOf(0, 2)) << end.standard_error;
  expect_whole_and_finished(rig.journal(run));
}

}  // namespace
}  // namespace forge
