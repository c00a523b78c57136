#include "worker/fault_text.h"

#include <fmt/format.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>

#include <cstdlib>
#include <optional>

#include "base/text.h"

namespace forge {
namespace {

using runner::Phase;
using runner::SetupFailure;
using runner::StatusPage;

constexpr int kRefusedExit = 126;

std::string status_text(const StatusPage& status) {
  return printable(std::string(status.text, strnlen(status.text, sizeof status.text)));
}

struct Located {
  const TensorParam* tensor = nullptr;
  bool inside = false;
  std::string words;  // "3 bytes past the end of 'x'"
};

// Guard pages lie between two buffers: running off an end is the likelier fault, so ends are looked
// at before starts.
std::optional<Located> locate(std::uint64_t address, const StatusPage& status,
                              const ArenaPlan& plan, const Signature& signature) {
  std::optional<Located> before;
  for (const Slot& slot : plan.slots) {
    for (std::size_t t = 0; t < slot.tensors.size(); ++t) {
      const BufferPlace& place = slot.tensors[t];
      const std::uint64_t base =
          place.region == runner::Region::kInputs ? status.inputs_base : status.outputs_base;
      const std::uint64_t begin = base + place.offset;
      const std::uint64_t end = begin + place.capacity;
      const TensorParam& tensor = signature.tensors[t];
      if (address >= begin && address < end) {
        return Located{&tensor, true, fmt::format("inside '{}'", tensor.name)};
      }
      if (address >= end && address < base + place.pages_end + runner::kPageBytes) {
        return Located{&tensor, false,
                       fmt::format("{} bytes past the end of '{}'", address - end, tensor.name)};
      }
      if (address < begin && address + runner::kPageBytes >= base + place.pages_begin) {
        before =
            Located{&tensor, false,
                    fmt::format("{} bytes before the start of '{}'", begin - address, tensor.name)};
      }
    }
  }
  return before;
}

ArmFault describe_fault(int signal_number, const StatusPage& status, const ArenaPlan& plan,
                        const Signature& signature, int shape) {
  const std::uint64_t address = status.fault_address;
  const char* access = status.fault_is_write != 0 ? "wrote to" : "read from";
  std::string where = fmt::format("address {:#x}", address);
  if (address < 4096) where = "a null pointer";
  if (const auto located = locate(address, status, plan, signature)) {
    const bool is_input = located->tensor->direction == Direction::kInput;
    if (located->inside && is_input && status.fault_is_write != 0) {
      return {FaultKind::kInputsModified, shape, located->tensor->name};
    }
    where = located->words;
  }
  return {FaultKind::kCrash, shape,
          fmt::format("{} (signal {}) when it {} {}", strsignal(signal_number), signal_number,
                      access, where)};
}

}  // namespace

std::string system_call_name(std::uint32_t refused) {
  const int number = static_cast<int>(refused - 1);
  char* name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, number);
  std::string text = name != nullptr ? name : "number " + std::to_string(number);
  std::free(name);
  return text;
}

ArmFault describe_process_end(const ProcessEnd& end, Speaker speaker, const StatusPage& status,
                              const ArenaPlan& plan, const Signature& signature, int shape) {
  const auto phase = static_cast<Phase>(status.phase.load());
  const char* when =
      phase == Phase::kInitialising ? "in its static initialisers or forge_workspace" : "in a call";
  if (const auto* exited = std::get_if<Exited>(&end)) {
    const auto failure = static_cast<SetupFailure>(status.setup_failure.load());
    const bool believed = speaker == Speaker::kRunner || failure == SetupFailure::kWorkspace;
    if (failure != SetupFailure::kNone && believed) return describe_setup_failure(status);
    const std::uint32_t refused = status.refused_system_call.load();
    if (exited->code == kRefusedExit && refused != 0) {
      return {FaultKind::kRefused, shape,
              fmt::format("the kernel made the system call {} {}, which kernels may not make",
                          system_call_name(refused), when)};
    }
    return {FaultKind::kCrash, shape,
            fmt::format("the kernel ended its process (exit code {}) {}", exited->code, when)};
  }
  if (const auto* signalled = std::get_if<Signalled>(&end)) {
    if (status.fault_signal.load() == static_cast<std::uint32_t>(signalled->signal)) {
      return describe_fault(signalled->signal, status, plan, signature, shape);
    }
    if (signalled->signal == SIGSYS) {
      return {FaultKind::kRefused, shape,
              fmt::format("the kernel made a system call {} that kernels may not make", when)};
    }
    return {
        FaultKind::kCrash, shape,
        fmt::format("{} (signal {}) {}", strsignal(signalled->signal), signalled->signal, when)};
  }
  return {FaultKind::kInfrastructure, shape, "the runner's end is unknown"};
}

ArmFault describe_setup_failure(const StatusPage& status) {
  const std::string text = status_text(status);
  switch (static_cast<SetupFailure>(status.setup_failure.load())) {
    case SetupFailure::kLoad:
      return {FaultKind::kLaunchError, -1, "the kernel cannot be loaded: " + text};
    case SetupFailure::kWorkspace:
      return {
          FaultKind::kLaunchError, -1,
          fmt::format("{} ({})", text, format_bytes(static_cast<double>(status.workspace_bytes)))};
    case SetupFailure::kNone:
    case SetupFailure::kProtocol:
    case SetupFailure::kMapping:
    case SetupFailure::kConfinement:
      break;
  }
  return {FaultKind::kInfrastructure, -1,
          fmt::format("the runner could not be set up: {} ({})", text,
                      strerror(static_cast<int>(status.system_error)))};
}

}  // namespace forge
