// A process on given CPUs with given descriptors that can be stopped and continued: what a
// measurement needs and sys/process.h does not offer. May know: base, process.h.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "sys/process.h"

namespace forge {

struct PinnedSpec {
  int executable_fd = -1;  // run this memory file …
  std::string executable;  // … or this program, found in PATH
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;  // nothing else is passed on
  std::vector<std::pair<int, int>> descriptors;                  // {number in the child, ours}
  std::vector<int> cpus;                                         // empty: ours
};

struct ThreadState {
  pid_t id = 0;
  bool runnable = false;
};

// Owns the process: it is killed and reaped when this goes away. What it prints is kept up to a
// limit; printing more never blocks it.
class PinnedProcess {
 public:
  PinnedProcess() = default;
  ~PinnedProcess();
  PinnedProcess(PinnedProcess&& other) noexcept;
  PinnedProcess& operator=(PinnedProcess&& other) noexcept;
  PinnedProcess(const PinnedProcess&) = delete;
  PinnedProcess& operator=(const PinnedProcess&) = delete;

  static Result<PinnedProcess> spawn(const PinnedSpec& spec);
  // A process that was forked by a child of ours and has become our child (see become_subreaper).
  static PinnedProcess adopt(pid_t pid);

  pid_t pid() const { return pid_; }
  bool running() const { return pid_ > 0; }

  // SIGSTOP, and waits until every thread has stopped; false if it ended instead. One that does not
  // stop within seconds is killed.
  bool stop();
  void resume();
  // How it ended, if it has; does not wait.
  std::optional<ProcessEnd> poll_end();
  // Sleeps until it ends, at most `limit`; nullopt if it still runs then.
  std::optional<ProcessEnd> wait_end(std::chrono::milliseconds limit);
  // Processor time that all its threads have used, ended ones included.
  std::int64_t processor_ns() const;
  // Of its threads; empty if it has ended. Whether one has work says /proc, at this moment.
  std::vector<ThreadState> threads() const;
  // Kills it, reaps it, reads the rest of its output.
  void kill();
  const std::string& output();

 private:
  void drain();
  std::optional<ProcessEnd> reap(int options);

  pid_t pid_ = -1;
  int output_fd_ = -1;
  std::string output_;
  std::optional<ProcessEnd> end_;
};

// Orphans below us become our children, so that a forked process can be waited for.
void become_subreaper();

// The CPUs this process may run on.
std::vector<int> allowed_cpus();
Status pin_this_thread(const std::vector<int>& cpus);

// While it lives, this thread runs before all others on its CPUs, as pinned processes do whenever
// they are not stopped: what preempts a call for milliseconds is otherwise timed with it. For
// intervals only: whoever spins so for long leaves nothing to others. Without the right to do so
// nothing changes.
class RealTime {
 public:
  RealTime();
  ~RealTime();
  RealTime(const RealTime&) = delete;
  RealTime& operator=(const RealTime&) = delete;
};

// Lets this process, and those it starts from here on, run before others on the same CPUs. Without
// the right to do so nothing changes: timings are then as noisy as the machine is busy.
void take_precedence();

// Ends the calling process if its parent dies. For the top of a tree of processes.
void die_with_parent();

}  // namespace forge
