#include "sys/interrupt.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <utility>

namespace forge {
namespace {

std::atomic<bool> flag{false};
std::atomic<int> event_fd{-1};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may use lock-free atomics only");

void on_signal(int signal) {
  if (flag.exchange(true)) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);  // delivered when this handler returns
    return;
  }
  const int saved_errno = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event_fd.load(), &one, sizeof one);
  errno = saved_errno;
}

}  // namespace

void install_interrupt_handler() {
  if (event_fd.load() < 0) event_fd.store(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  struct sigaction action{};
  action.sa_handler = on_signal;
  ::sigemptyset(&action.sa_mask);
  // System calls are not restarted, so that a blocking wait of someone else's sees the signal too.
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return flag.load(); }

int interrupt_fd() { return event_fd.load(); }

Error interrupted_error(std::string what) {
  return Error{ErrorKind::kInterrupted, "stopped waiting for", std::move(what), "interrupted", ""};
}

}  // namespace forge
