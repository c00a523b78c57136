// How a planner's end before its time is told: see planner_process.h.
#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include "base/text.h"
#include "worker/fault_text.h"
#include "worker/planner_process.h"

namespace forge {
namespace {

using runner::Phase;
using runner::SetupFailure;
using runner::StatusPage;

constexpr int kRefusedExit = 126;

// The claim of which call was under way, if it can be one.
const CallPlacement* call_under_way(const StatusPage& status, const PlannerSetup& setup) {
  const std::uint32_t ready = status.ready.load();
  const bool serving = status.phase.load() == static_cast<std::uint32_t>(Phase::kServing);
  return serving && ready > 0 && ready <= setup.calls.size() ? &setup.calls[ready - 1] : nullptr;
}

// The device memory that an address pretends to be in, by name; empty if none.
std::string device_memory_at(std::uint64_t address, const CallPlacement* call,
                             const PlannerEndContext& context) {
  if (!recorder::is_device(address)) return "";
  if (call == nullptr) return "device memory";
  const std::vector<PlanBuffer>& buffers = context.buffers[call->variant];
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (address >= call->buffers[i] && address - call->buffers[i] < buffers[i].bytes) {
      return fmt::format("{} (device memory)", buffers[i].name);
    }
  }
  return "device memory";
}

CandidateOutcome describe_signal(int signal_number, const StatusPage& status,
                                 const std::string& shape, const char* when,
                                 const PlannerEndContext& context) {
  if (signal_number == SIGSYS) {
    return Refused{fmt::format("the kernel made a system call {} that kernels may not make", when)};
  }
  if (status.fault_signal.load() != static_cast<std::uint32_t>(signal_number)) {
    return Crash{shape,
                 fmt::format("{} (signal {}) {}", strsignal(signal_number), signal_number, when)};
  }
  const std::uint64_t address = status.fault_address.load();
  const bool wrote = status.fault_is_write.load() != 0;
  const std::string memory =
      device_memory_at(address, call_under_way(status, context.setup), context);
  if (!memory.empty()) {
    return Refused{fmt::format("the kernel's host code {} {} {}: only device code may touch it",
                               wrote ? "wrote to" : "read from", memory, when)};
  }
  const std::string where =
      address < 4096 ? "a null pointer" : fmt::format("address {:#x}", address);
  return Crash{shape,
               fmt::format("{} (signal {}) when its host code {} {} {}", strsignal(signal_number),
                           signal_number, wrote ? "wrote to" : "read from", where, when)};
}

Result<CandidateOutcome> describe_setup(const StatusPage& status, const std::string& shape) {
  const std::string text =
      printable(std::string(status.text, strnlen(status.text, sizeof status.text)));
  switch (static_cast<SetupFailure>(status.setup_failure.load())) {
    case SetupFailure::kLoad:
      return CandidateOutcome(
          LaunchError{shape, "the kernel's host code cannot be loaded: " + text});
    case SetupFailure::kWorkspace:
      return CandidateOutcome(LaunchError{
          shape,
          fmt::format("{} ({})", text, format_bytes(static_cast<double>(status.workspace_bytes)))});
    case SetupFailure::kNone:
    case SetupFailure::kProtocol:
    case SetupFailure::kMapping:
    case SetupFailure::kConfinement:
      break;
  }
  return Error{ErrorKind::kInfrastructure, "cannot plan", "the kernel's launches",
               fmt::format("the planner could not be set up: {} ({})", text,
                           strerror(static_cast<int>(status.system_error))),
               "run forge doctor"};
}

}  // namespace

Result<CandidateOutcome> describe_planner_end(const std::optional<ProcessEnd>& end,
                                              const StatusPage& status, double limit_seconds,
                                              const PlannerEndContext& context) {
  const CallPlacement* call = call_under_way(status, context.setup);
  const std::string shape = call != nullptr ? context.shapes[call->variant] : "";
  const char* when =
      call != nullptr ? "in forge_launch or forge_workspace" : "in its static initialisers";
  if (!end) {
    return CandidateOutcome(TimeoutOutcome{
        shape,
        fmt::format("its host code had not returned after {:.0f} s {}", limit_seconds, when)});
  }
  if (const auto* signalled = std::get_if<Signalled>(&*end)) {
    return describe_signal(signalled->signal, status, shape, when, context);
  }
  if (status.setup_failure.load() != 0) return describe_setup(status, shape);
  const auto* exited = std::get_if<Exited>(&*end);
  FORGE_CHECK(exited != nullptr);
  const std::uint32_t refused = status.refused_system_call.load();
  if (exited->code == kRefusedExit && refused != 0) {
    return CandidateOutcome(
        Refused{fmt::format("the kernel made the system call {} {}, which kernels may not make",
                            system_call_name(refused), when)});
  }
  return CandidateOutcome(Refused{fmt::format(
      "the kernel's host code ended its process (exit code {}) {}", exited->code, when)});
}

}  // namespace forge
