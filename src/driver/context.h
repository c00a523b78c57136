// What the driver is given: effects, the agent, the way to the hardware, and who is told. May know:
// sys, agent, delivery, run.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "agent/backend.h"
#include "delivery/delivery.h"
#include "run/paths.h"
#include "run/state.h"
#include "sys/clock.h"
#include "sys/fs.h"
#include "sys/process.h"

namespace forge {

// What a run is doing right now.
struct ProgressSnapshot {
  Stage stage = Stage::kPrepare;
  std::string doing;                   // "round 7, D1.2: kVec: 4 -> 8"
  int round = 0;                       // rounds started so far
  std::string milestone;               // the first that is not closed; empty: none
  std::string row;                     // of the last round
  std::optional<Interval> best_ratio;  // reference over best, of the best's own round
  std::string last_verdict;
  double elapsed_s = 0;                 // of all drivers of this run
  std::optional<double> budget_left_s;  // of the inner loop; absent before it began
};

class Progress {
 public:
  virtual ~Progress() = default;
  // Called at each step and several times a second while a job runs; must be quick.
  virtual void update(const ProgressSnapshot& snapshot) = 0;
  // An event is in the journal, and `state` is what it led to.
  virtual void happened(const Event& /*event*/, const State& /*state*/) {}
  // Something that a person should read, once.
  virtual void notice(std::string_view text) = 0;
};

struct DriverContext {
  Fs& fs;
  ProcessRunner& processes;
  Clock& clock;
  Delivery& delivery;
  std::function<Backend&(Role)> agent_of;
  Progress& progress;
  Path cache;          // absolute; oracle cases and build artefacts, shared by runs
  std::string holder;  // who we are, for a second driver's message: "forge run, pid 123"
  std::function<bool()> interrupted;
  // Between two tries of a job; may return early when a signal arrives.
  std::function<void(std::chrono::milliseconds)> pause;
  // What must not stand in anything that is written about a turn.
  Redactor redactor;
  // Writes report.md; called whenever the run has ended.
  std::function<Status(const RunPaths& paths)> write_report;
};

}  // namespace forge
