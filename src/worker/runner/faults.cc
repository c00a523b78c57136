#include "worker/runner/faults.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace forge::runner {
namespace {

StatusPage* g_status = nullptr;
alignas(16) char g_stack[16384];

// Bit 1 of the page-fault error code of x86-64: the access was a write.
constexpr std::uint64_t kWriteFault = 2;

void on_fault(int signal_number, siginfo_t* info, void* context) {
  const auto* machine = static_cast<ucontext_t*>(context);
  g_status->fault_address = reinterpret_cast<std::uint64_t>(info->si_addr);
  g_status->fault_is_write =
      (static_cast<std::uint64_t>(machine->uc_mcontext.gregs[REG_ERR]) & kWriteFault) != 0;
  g_status->fault_signal = static_cast<std::uint32_t>(signal_number);
  // Returning repeats the access, now under the default action (SA_RESETHAND).
}

// std::thread::hardware_concurrency() and its like look at /sys first and take the affinity mask
// when that fails: an honest question, answered with 'no such file'.
bool asks_for_processors(const ucontext_t* machine) {
  if (machine->uc_mcontext.gregs[REG_RAX] != SYS_openat) return false;
  const auto* path = reinterpret_cast<const char*>(machine->uc_mcontext.gregs[REG_RSI]);
  static constexpr char kPrefix[] = "/sys/devices/system/cpu";
  return path != nullptr &&
         (strncmp(path, kPrefix, sizeof kPrefix - 1) == 0 || strcmp(path, "/proc/stat") == 0);
}

void on_refused_call(int, siginfo_t* info, void* context) {
  auto* machine = static_cast<ucontext_t*>(context);
  machine->uc_mcontext.gregs[REG_RAX] = info->si_syscall;
  if (asks_for_processors(machine)) {
    machine->uc_mcontext.gregs[REG_RAX] = -ENOENT;
    return;
  }
  g_status->refused_system_call = static_cast<std::uint32_t>(info->si_syscall) + 1;
  syscall(SYS_exit_group, 126);
}

void handle(int signal_number, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, nullptr);
}

}  // namespace

void note_faults_in(StatusPage* status) {
  g_status = status;
  stack_t stack{};
  stack.ss_sp = g_stack;
  stack.ss_size = sizeof g_stack;
  sigaltstack(&stack, nullptr);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) handle(number, on_fault, SA_RESETHAND);
  handle(SIGSYS, on_refused_call, 0);
}

}  // namespace forge::runner
