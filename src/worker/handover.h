// The measurer's side of the call boundary: arm once an interval, say go, spin until done, stop.
// The clock is read here and nowhere else. May know: sys, runner_protocol.h.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sys/clock.h"
#include "sys/pinned_process.h"
#include "sys/shared_memory.h"
#include "worker/runner_protocol.h"

namespace forge {

struct CallsDone {
  double calls_ns = 0;
  // The least that its threads have worked between being continued and the first call, beyond what
  // it takes to wake up.
  double ahead_ns = 0;
  // It took so long to be ready that the measurer could no longer watch undisturbed.
  bool woke_late = false;
};
struct LaunchFailed {
  int result = 0;
};
struct NotReturned {
  double seconds = 0;
};  // the process still runs
struct ProcessEnded {
  ProcessEnd end;
};
struct ActedEarly {};  // what it was to leave alone until the first call has changed
using HandoverOutcome =
    std::variant<CallsDone, LaunchFailed, NotReturned, ProcessEnded, ActedEarly>;

class Handover {
 public:
  // References must outlive it. The pages were created by `create_pages`.
  Handover(PinnedProcess& process, SharedMemory& command, SharedMemory& status, Clock& clock);

  // Waits until the runner is confined and the kernel loaded, no instruction of it run. What the
  // status page says until then, and of a process that ends until then, is the runner's own word.
  std::optional<HandoverOutcome> wait_until_loaded(double seconds);
  // Lets the kernel's code run, and waits until the process serves; it is stopped then.
  std::optional<HandoverOutcome> wait_until_serving(double seconds);

  struct Interval {
    std::vector<std::uint32_t> entries;
    double seconds_a_call = 0;
    int processors = 1;  // that its threads can be at work on at once
    // Says, when the process is ready and not yet asked, whether it has left alone what it should.
    std::function<bool()> untouched;
    // Runs as soon as the last call has claimed to be done.
    std::function<void()> sample;
  };
  // Continues the process, makes the calls one after another, and stops the process.
  HandoverOutcome run_interval(const Interval& interval);

  // Continues the process with nothing to do until all its threads but the first sleep; it is
  // stopped then. False: one is still at work after so much processor time that it never meant to
  // sleep.
  bool comes_to_rest();

  bool admitted() const { return command_->admitted.load(std::memory_order_relaxed) != 0; }
  const runner::StatusPage& status() const { return *status_; }

 private:
  // Spins until `reached` says so; otherwise why not.
  template <typename Condition>
  std::optional<HandoverOutcome> spin(Condition reached, double seconds);
  // Continues the process and waits until it is ready for calls.
  std::optional<HandoverOutcome> wake();
  std::optional<HandoverOutcome> make_calls(const Interval& interval);

  PinnedProcess* process_;
  runner::CommandPage* command_;
  runner::StatusPage* status_;
  Clock* clock_;
  std::uint32_t interval_ = 0;
  std::uint32_t call_ = 0;
};

struct HandoverPages {
  SharedMemory command;
  SharedMemory status;
};
Result<HandoverPages> create_pages();

}  // namespace forge
