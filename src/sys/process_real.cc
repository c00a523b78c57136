// Waits for real processes: one poll loop over the end of the process, its two outputs and Ctrl-C.
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "sys/interrupt.h"
#include "sys/process.h"
#include "sys/spawn.h"
#include "sys/system_error.h"

namespace forge {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;
using TimePoint = SteadyClock::time_point;

// Reads what the process prints and keeps the beginning.
class Capture {
 public:
  Capture(UniqueFd fd, std::uint64_t limit) : fd_(std::move(fd)), limit_(limit) {}

  int fd() const { return fd_.get(); }  // -1 at the end

  // Reads what is there, at most `chunks` buffers of it so that a flood cannot hold up the loop.
  void drain(int chunks) {
    std::array<char, 64 * 1024> buffer;
    while (fd_.valid() && chunks-- > 0) {
      const ssize_t count = ::read(fd_.get(), buffer.data(), buffer.size());
      if (count > 0) {
        keep({buffer.data(), static_cast<std::size_t>(count)});
      } else if (count < 0 && errno == EAGAIN) {
        return;
      } else if (count == 0 || errno != EINTR) {
        fd_.reset();
      }
    }
  }

  std::string_view bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }
  bool was_cut() const { return was_cut_; }

 private:
  void keep(std::string_view bytes) {
    const std::string_view kept = bytes.substr(0, limit_ - bytes_.size());
    bytes_ += kept;
    was_cut_ |= kept.size() < bytes.size();
  }

  UniqueFd fd_;
  std::uint64_t limit_;
  std::string bytes_;
  bool was_cut_ = false;
};

// A pipe holds a megabyte at most, so this is more than the dead can have left in one.
constexpr int kFinalChunks = 64;
constexpr int kChunksPerPoll = 4;
// Keeps sums of times from overflowing.
constexpr std::chrono::hours kLongestWait{24 * 365};

class RealChild : public Child {
 public:
  RealChild(Spawned spawned, const ProcessSpec& spec)
      : pid_(spawned.pid),
        pidfd_(std::move(spawned.pidfd)),
        output_(std::move(spawned.standard_output), spec.limits.captured_output_bytes),
        error_(std::move(spawned.standard_error), spec.limits.captured_output_bytes),
        limit_(spec.limits.wall),
        deadline_(limit_.count() > 0 ? SteadyClock::now() + limit_ : TimePoint::max()),
        program_(spec.argv[0]) {}

  ~RealChild() override {
    if (!result_) finish();
  }

  int pid() const override { return pid_; }

  Result<std::optional<ProcessResult>> wait(milliseconds timeout) override {
    const TimePoint until = SteadyClock::now() + std::min<milliseconds>(timeout, kLongestWait);
    while (!result_) {
      const TimePoint wake = std::min(until, deadline_);
      FORGE_TRY(const bool ended, poll_once(wake));
      if (ended) {
        finish();
      } else if (interrupted()) {
        finish();
        return interrupted_error(program_);
      } else if (SteadyClock::now() >= deadline_) {
        finish();
        result_->end = TimedOut{limit_};
      } else if (SteadyClock::now() >= until) {
        return std::optional<ProcessResult>();
      }
    }
    return std::optional<ProcessResult>(*result_);
  }

  void kill_group() override {
    if (!result_) ::kill(-pid_, SIGKILL);
  }

  std::string_view output_so_far() const override { return output_.bytes(); }

 private:
  // Waits for something to happen, until `wake` at most. True if the process has ended.
  Result<bool> poll_once(TimePoint wake) {
    std::array<pollfd, 4> polled{{{pidfd_.get(), POLLIN, 0},
                                  {output_.fd(), POLLIN, 0},
                                  {error_.fd(), POLLIN, 0},
                                  {interrupt_fd(), POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), poll_timeout(wake)) < 0 && errno != EINTR) {
      return system_error("cannot wait for", program_, errno);
    }
    output_.drain(kChunksPerPoll);
    error_.drain(kChunksPerPoll);
    return (polled[0].revents & POLLIN) != 0;
  }

  static int poll_timeout(TimePoint wake) {
    if (wake == TimePoint::max()) return -1;
    const auto left = std::chrono::ceil<milliseconds>(wake - SteadyClock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
  }

  void finish() {
    const int status = end_group(pid_);
    output_.drain(kFinalChunks);
    error_.drain(kFinalChunks);
    result_.emplace();
    if (WIFSIGNALED(status)) {
      result_->end = Signalled{WTERMSIG(status)};
    } else {
      result_->end = Exited{WEXITSTATUS(status)};
    }
    result_->standard_output = output_.take();
    result_->standard_error = error_.take();
    result_->output_was_cut = output_.was_cut() || error_.was_cut();
  }

  pid_t pid_;
  UniqueFd pidfd_;
  Capture output_;
  Capture error_;
  milliseconds limit_;
  TimePoint deadline_;
  std::string program_;
  std::optional<ProcessResult> result_;
};

class RealProcessRunner : public ProcessRunner {
 public:
  Result<ProcessResult> run(const ProcessSpec& spec) override {
    if (interrupted()) return interrupted_error(spec.argv.at(0));
    FORGE_TRY(const auto child, start(spec));
    while (true) {
      FORGE_TRY(auto result, child->wait(std::chrono::minutes(1)));
      if (result) return std::move(*result);
    }
  }

  Result<std::unique_ptr<Child>> start(const ProcessSpec& spec) override {
    FORGE_TRY(Spawned spawned, spawn(spec));
    return std::unique_ptr<Child>(std::make_unique<RealChild>(std::move(spawned), spec));
  }
};

}  // namespace

std::unique_ptr<ProcessRunner> make_real_process_runner() {
  return std::make_unique<RealProcessRunner>();
}

}  // namespace forge
