// Each case runs in a process of its own (a death test), since a signal cannot be taken back.
#include "sys/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "sys/fs_fake.h"
#include "sys/lease.h"
#include "sys/process.h"

namespace forge {
namespace {

ProcessSpec sleeper() {
  ProcessSpec spec;
  spec.argv = {"sleep", "1000"};
  return spec;
}

[[noreturn]] void exit_with(bool good) { ::_exit(good ? 0 : 1); }

[[noreturn]] void raise_once() {
  install_interrupt_handler();
  if (interrupted()) exit_with(false);
  ::raise(SIGINT);
  exit_with(interrupted());
}

[[noreturn]] void raise_twice() {
  install_interrupt_handler();
  ::raise(SIGTERM);
  ::raise(SIGINT);
  exit_with(true);
}

// Another process sends us Ctrl-C while we wait for a third one without any limit.
[[noreturn]] void wait_for_a_process_until_interrupted() {
  install_interrupt_handler();
  const auto runner = make_real_process_runner();
  const auto child = runner->start(sleeper());
  ProcessSpec sender = sleeper();
  sender.argv = {"sh", "-c", "kill -INT " + std::to_string(::getpid()) + "; exec sleep 1000"};
  const auto sent = runner->start(sender);
  if (!child || !sent) exit_with(false);
  const auto result = (*child)->wait(std::chrono::hours(1));
  const bool told = !result && result.error().kind == ErrorKind::kInterrupted;
  exit_with(told && ::kill((*child)->pid(), 0) != 0);
}

[[noreturn]] void run_after_an_interrupt() {
  install_interrupt_handler();
  ::raise(SIGINT);
  const auto result = make_real_process_runner()->run(sleeper());
  exit_with(!result && result.error().kind == ErrorKind::kInterrupted);
}

[[noreturn]] void wait_for_the_lease_until_interrupted() {
  install_interrupt_handler();
  FakeFs fs;
  const auto held = lease_cpus(fs, "/leases", "the other", nullptr);
  const auto mine = lease_cpus(fs, "/leases", "us", [](const std::string&) { ::raise(SIGINT); });
  exit_with(held.has_value() && !mine && mine.error().kind == ErrorKind::kInterrupted);
}

TEST(InterruptDeathTest, ASignalSetsTheFlagAndASecondOneEndsTheProcess) {
  EXPECT_EXIT(raise_once(), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(raise_twice(), testing::KilledBySignal(SIGINT), "");
}

TEST(InterruptDeathTest, AWaitForAProcessReturnsEarlyAndTheProcessIsGone) {
  EXPECT_EXIT(wait_for_a_process_until_interrupted(), testing::ExitedWithCode(0), "");
}

TEST(InterruptDeathTest, AfterASignalNothingNewIsRun) {
  EXPECT_EXIT(run_after_an_interrupt(), testing::ExitedWithCode(0), "");
}

TEST(InterruptDeathTest, AWaitForTheLeaseReturnsEarly) {
  EXPECT_EXIT(wait_for_the_lease_until_interrupted(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace forge
