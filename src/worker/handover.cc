#include "worker/handover.h"

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
// Processor time that honest processes need to wake up and to wait for the first call.
constexpr double kToWakeUp = 30e3;
// A process that spins is stopped within this time. One that is stopped late can only have seen to
// that itself, and what it used meanwhile is no waiting.
constexpr std::int64_t kToBeStopped = 100'000;
// The measurer runs before all others from waking the process on, so that what the process uses
// while it waits is its own doing; but no longer than this before it is ready: two measurers that
// waited so for their processes, each of which waits for the other's, would take seconds.
constexpr double kSecondsUndisturbed = 0.025;

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

std::optional<HandoverOutcome> Handover::wake() {
  constexpr double kSecondsToContinue = 20;
  const auto ready = [this] { return status_->ready.load(std::memory_order_acquire) == interval_; };
  {
    const RealTime undisturbed;
    process_->resume();
    const auto failed = spin(ready, kSecondsUndisturbed);
    if (!failed || !std::holds_alternative<NotReturned>(*failed)) return failed;
  }
  return spin(ready, kSecondsToContinue);
}

HandoverOutcome Handover::run_interval(const Interval& interval) {
  status_->launch_result.store(0, std::memory_order_relaxed);
  command_->armed.store(++interval_, std::memory_order_release);
  const std::int64_t used_before = process_->processor_ns();
  const std::int64_t woken = clock_->monotonic_ns();
  if (auto failed = wake()) return *failed;
  CallsDone done;
  done.woke_late = static_cast<double>(clock_->monotonic_ns() - woken) > kSecondsUndisturbed * 1e9;
  const RealTime undisturbed;
  if (!interval.untouched()) {
    process_->stop();
    return ActedEarly{};
  }
  const std::int64_t begin = clock_->monotonic_ns();
  if (auto failed = make_calls(interval)) return *failed;
  const std::int64_t end = clock_->monotonic_ns();
  interval.sample();
  const std::int64_t sampled = clock_->monotonic_ns();
  if (!process_->stop()) return ProcessEnded{process_->poll_end().value_or(Exited{})};
  if (const int result = status_->launch_result.load(std::memory_order_relaxed)) {
    return LaunchFailed{result};
  }
  // Processor time is exact only while the process is stopped. What it used in all, less what it
  // can have used since the first call, it must have used before.
  const std::int64_t stopping = std::min(clock_->monotonic_ns() - sampled, kToBeStopped);
  const std::int64_t possible = (sampled - begin + stopping) * interval.processors;
  const std::int64_t used = process_->processor_ns() - used_before;
  done.ahead_ns = std::max(0.0, static_cast<double>(used - possible) - kToWakeUp);
  done.calls_ns = static_cast<double>(end - begin);
  return done;
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
