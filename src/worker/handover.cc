#include "worker/handover.h"

#include <new>

namespace forge {
namespace {

using runner::CommandPage;
using runner::Phase;
using runner::StatusPage;

// How often a spin looks at the clock and at the process: often enough to notice a dead kernel
// within a millisecond, seldom enough not to delay noticing `done`.
constexpr int kSpinsPerLook = 1 << 12;

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

std::optional<HandoverOutcome> Handover::wait_until_serving(double seconds) {
  const auto serving = [this] {
    return status_->phase.load(std::memory_order_acquire) ==
           static_cast<std::uint32_t>(Phase::kServing);
  };
  if (auto failed = spin(serving, seconds)) return failed;
  if (!process_->stop()) return ProcessEnded{process_->poll_end().value_or(Exited{})};
  return std::nullopt;
}

HandoverOutcome Handover::run_interval(const std::vector<std::uint32_t>& entries,
                                       double seconds_a_call, const std::function<void()>& sample) {
  constexpr double kSecondsToContinue = 20;
  status_->launch_result.store(0, std::memory_order_relaxed);
  command_->armed.store(++interval_, std::memory_order_release);
  process_->resume();
  const auto ready = [this] { return status_->ready.load(std::memory_order_acquire) == interval_; };
  if (auto failed = spin(ready, kSecondsToContinue)) return *failed;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  {
    const RealTime undisturbed;
    begin = clock_->monotonic_ns();
    for (const std::uint32_t entry : entries) {
      command_->entry.store(entry, std::memory_order_relaxed);
      command_->go.store(++call_, std::memory_order_release);
      const auto done = [this] { return status_->done.load(std::memory_order_acquire) == call_; };
      if (auto failed = spin(done, seconds_a_call)) return *failed;
    }
    end = clock_->monotonic_ns();
    sample();
  }
  if (!process_->stop()) return ProcessEnded{process_->poll_end().value_or(Exited{})};
  if (const int result = status_->launch_result.load(std::memory_order_relaxed)) {
    return LaunchFailed{result};
  }
  return CallsDone{static_cast<double>(end - begin)};
}

}  // namespace forge
