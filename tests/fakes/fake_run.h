// A whole world for a run without processes: files, git, clock, hardware, progress. For tests only.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "agent/agents.h"
#include "agent/builtin.h"
#include "driver/create_run.h"
#include "driver/driver.h"
#include "fakes/fake_delivery.h"
#include "fakes/fake_git.h"
#include "sys/clock_fake.h"
#include "sys/fs_fake.h"
#include "sys/process_fake.h"

namespace forge {

class RecordedProgress : public Progress {
 public:
  void update(const ProgressSnapshot& snapshot) override { snapshots.push_back(snapshot); }
  void notice(std::string_view text) override { notices.emplace_back(text); }

  std::vector<ProgressSnapshot> snapshots;
  std::vector<std::string> notices;
};

// The kernel has a structure (kTwoPass), two sizes (kVec, kUnroll); the best is true, 4, 2 at 250
// ns of the reference's 1000 ns; kUnroll = 8 is wrong.
class FakeRun {
 public:
  FakeRun();

  // Creates the run; later calls go on with it.
  Result<Path> create();
  Result<RunEnd> drive();
  DriverContext driver_context();
  AgentWorld agent_world();
  // Drives a run that must come to an end.
  State drive_to_end();
  State state();

  FakeFs fs;
  FakeProcessRunner processes;
  FakeGit git{fs};
  FakeClock clock;
  FakeEntropy entropy;
  FakeDelivery delivery{fs};
  RecordedProgress progress;
  std::unique_ptr<Backend> backend = make_builtin_backend(fs);
  std::unique_ptr<Backend> teacher;  // none: `backend` plays both roles
  Redactor redactor;
  std::vector<std::chrono::milliseconds> pauses;
  std::function<void()> between_looks;  // what happens in a pause
  std::map<std::string, std::string> environment;
  int reports = 0;
  bool interrupt = false;
  Path run;
};

// What must not depend on interruptions: rounds, verdicts, bests, milestones and the end, as text.
std::string essence(const State& state);

// A copy of kTask with the first `from` replaced.
std::string fake_task(std::string_view from = "", std::string_view to = "");

}  // namespace forge
