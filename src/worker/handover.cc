#include "worker/handover.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace forge {
namespace {

using runner::CommandPage;
using runner::Phase;
using runner::StatusPage;

// How often a spin looks at the clock and at the process: often enough to notice a dead kernel
// within a millisecond, seldom enough not to delay noticing `done`.
constexpr int kSpinsPerLook = 1 << 12;
// Processor time that honest processes may seem to need to wake up and to wait for the first call:
// 15 us are usual, 52 us the 99th percentile, but 0.7 ms were seen several times in a row on a busy
// virtual machine, measured. Whatever honest kernels would be charged with by mistake is left out.
constexpr double kToGetGoing = 1e6;

// Time that this thread was kept from its processor since it made one of these.
class Absence {
 public:
  explicit Absence(Clock& clock)
      : clock_(&clock), began_(clock.monotonic_ns()), used_(processor_ns()) {}
  std::int64_t nanoseconds() const {
    return clock_->monotonic_ns() - began_ - (processor_ns() - used_);
  }

 private:
  static std::int64_t processor_ns() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<std::int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec;
  }

  Clock* clock_;
  std::int64_t began_;
  std::int64_t used_;
};

}  // namespace

Result<HandoverPages> create_pages() {
  HandoverPages pages;
  FORGE_TRY(pages.command, SharedMemory::create("forge-command", runner::kPageBytes));
  FORGE_TRY(pages.status, SharedMemory::create("forge-status", runner::kPageBytes));
  auto* command = new (pages.command.data()) CommandPage{};
  command->magic = runner::kMagic;
  command->version = runner::kVersion;
  new (pages.status.data()) StatusPage{};
  FORGE_TRY_STATUS(pages.command.forbid_other_writers());
  return pages;
}

Handover::Handover(PinnedProcess& process, SharedMemory& command, SharedMemory& status,
                   Clock& clock)
    : process_(&process),
      command_(reinterpret_cast<CommandPage*>(command.data())),
      status_(reinterpret_cast<StatusPage*>(status.data())),
      clock_(&clock) {}

template <typename Condition>
std::optional<HandoverOutcome> Handover::spin(Condition reached, double seconds) {
  const std::int64_t begin = clock_->monotonic_ns();
  while (true) {
    for (int i = 0; i < kSpinsPerLook; ++i) {
      if (reached()) return std::nullopt;
      __builtin_ia32_pause();
    }
    if (const auto end = process_->poll_end()) return ProcessEnded{*end};
    if (static_cast<double>(clock_->monotonic_ns() - begin) > seconds * 1e9) {
      return NotReturned{seconds};
    }
  }
}

std::optional<HandoverOutcome> Handover::wait_until_loaded(double seconds) {
  const auto loaded = [this] {
    return status_->phase.load(std::memory_order_acquire) >=
           static_cast<std::uint32_t>(Phase::kInitialising);
  };
  return spin(loaded, seconds);
}

std::optional<HandoverOutcome> Handover::wait_until_serving(double seconds) {
  command_->admitted.store(1, std::memory_order_release);
  const auto serving = [this] {
    return status_->phase.load(std::memory_order_acquire) ==
           static_cast<std::uint32_t>(Phase::kServing);
  };
  if (auto failed = spin(serving, seconds)) return failed;
  if (!process_->stop()) return ProcessEnded{process_->poll_end().value_or(Exited{})};
  return std::nullopt;
}

std::optional<HandoverOutcome> Handover::make_calls(const Interval& interval) {
  for (const std::uint32_t entry : interval.entries) {
    command_->entry.store(entry, std::memory_order_relaxed);
    command_->go.store(++call_, std::memory_order_release);
    const auto returned = [this] { return status_->done.load(std::memory_order_acquire) == call_; };
    if (auto failed = spin(returned, interval.seconds_a_call)) return failed;
  }
  return std::nullopt;
}

HandoverOutcome Handover::run_interval(const Interval& interval) {
  constexpr double kSecondsToContinue = 20;
  status_->launch_result.store(0, std::memory_order_relaxed);
  command_->armed.store(++interval_, std::memory_order_release);
  const auto ready = [this] { return status_->ready.load(std::memory_order_acquire) == interval_; };
  const std::int64_t used_before = process_->processor_ns();
  std::int64_t absent = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  // Only the interval runs before all others: two measurers that waited so for their processes,
  // each of which waits for the other's, would take seconds.
  const Absence absence(*clock_);
  process_->resume();
  if (auto failed = spin(ready, kSecondsToContinue)) return *failed;
  {
    const RealTime undisturbed;
    if (!interval.untouched()) {
      process_->stop();
      return ActedEarly{};
    }
    absent = absence.nanoseconds();
    begin = clock_->monotonic_ns();
    if (auto failed = make_calls(interval)) return *failed;
    end = clock_->monotonic_ns();
    interval.sample();
  }
  if (!process_->stop()) return ProcessEnded{process_->poll_end().value_or(Exited{})};
  if (const int result = status_->launch_result.load(std::memory_order_relaxed)) {
    return LaunchFailed{result};
  }
  // Processor time is exact only while the process is stopped. What it used in all, less what it
  // can have used since the first call, it must have used before; waiting for us, while we were
  // kept from our processor, is no work.
  const std::int64_t used = process_->processor_ns() - used_before;
  const std::int64_t possible = (clock_->monotonic_ns() - begin) * interval.processors;
  const double ahead_ns =
      std::max(0.0, static_cast<double>(used - possible - absent) - kToGetGoing);
  return CallsDone{static_cast<double>(end - begin), ahead_ns};
}

bool Handover::comes_to_rest() {
  constexpr std::int64_t kNeverMeantTo = 150'000'000;
  constexpr std::int64_t kLongest = 2'000'000'000;
  command_->armed.store(runner::kRest, std::memory_order_release);
  const std::int64_t processor_before = process_->processor_ns();
  const std::int64_t begin = clock_->monotonic_ns();
  process_->resume();
  bool rests = false;
  bool tireless = false;
  while (!rests && !tireless && clock_->monotonic_ns() - begin < kLongest) {
    usleep(500);
    const std::vector<ThreadState> threads = process_->threads();
    rests = std::none_of(threads.begin(), threads.end(), [this](const ThreadState& thread) {
      return thread.id != process_->pid() && thread.runnable;
    });
    tireless = process_->processor_ns() - processor_before > kNeverMeantTo;
  }
  process_->stop();
  return rests || !tireless;
}

}  // namespace forge
