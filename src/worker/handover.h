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
  double nanoseconds = 0;
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
using HandoverOutcome = std::variant<CallsDone, LaunchFailed, NotReturned, ProcessEnded>;

class Handover {
 public:
  // References must outlive it. The pages were created by `create_pages`.
  Handover(PinnedProcess& process, SharedMemory& command, SharedMemory& status, Clock& clock);

  // Waits until the process serves; it is stopped then. nullopt: it does.
  std::optional<HandoverOutcome> wait_until_serving(double seconds);

  // Continues the process, makes the calls one after another, runs `sample` as soon as the last has
  // claimed to be done, and stops the process.
  HandoverOutcome run_interval(const std::vector<std::uint32_t>& entries, double seconds_a_call,
                               const std::function<void()>& sample);

  const runner::StatusPage& status() const { return *status_; }

 private:
  // Spins until `reached` says so; otherwise why not.
  template <typename Condition>
  std::optional<HandoverOutcome> spin(Condition reached, double seconds);

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
