#include "sys/conversation.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sys/spawn.h"
#include "sys/system_error.h"
#include "sys/unique_fd.h"

namespace forge {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kLongestLine = 64 << 10;
constexpr std::size_t kKeptErrors = 4 << 10;

// How a read or a write that gave nothing goes on.
enum class Stalled { kNotYet, kGone };

Stalled why_stalled(ssize_t count) {
  const bool not_yet = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  return not_yet ? Stalled::kNotYet : Stalled::kGone;
}

class RealConversation : public Conversation {
 public:
  RealConversation(std::string program, Spawned child, UniqueFd input)
      : program_(std::move(program)), child_(std::move(child)), input_(std::move(input)) {}

  ~RealConversation() override {
    if (!reaped_) end_group(child_.pid);
  }

  int pid() const override { return child_.pid; }

  Status send(std::string_view text, milliseconds timeout) override {
    const auto deadline = SteadyClock::now() + timeout;
    while (!text.empty()) {
      const ssize_t sent = ::send(input_.get(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent > 0) {
        text.remove_prefix(static_cast<std::size_t>(sent));
      } else if (why_stalled(sent) == Stalled::kGone) {
        return no_answer(describe_end() + " before it took the request");
      } else if (!wait_for(input_, POLLOUT, deadline)) {
        return no_answer(too_long(timeout));
      }
    }
    return {};
  }

  Result<std::string> read_line(milliseconds timeout) override {
    const auto deadline = SteadyClock::now() + timeout;
    while (true) {
      const std::size_t end = pending_.find('\n');
      if (end != std::string::npos) {
        std::string line = pending_.substr(0, end);
        pending_.erase(0, end + 1);
        return line;
      }
      if (pending_.size() > kLongestLine) return no_answer("printed a line longer than 64 KiB");
      char buffer[4096];
      const ssize_t count = ::read(child_.standard_output.get(), buffer, sizeof buffer);
      if (count > 0) {
        pending_.append(buffer, static_cast<std::size_t>(count));
      } else if (why_stalled(count) == Stalled::kGone) {
        return no_answer(describe_end() + " before it answered");
      } else if (!wait_for(child_.standard_output, POLLIN, deadline)) {
        return no_answer(too_long(timeout));
      }
    }
  }

  std::string standard_error() override {
    drain_errors();
    return kept_errors_;
  }

 private:
  Error no_answer(std::string cause) const {
    return Error{ErrorKind::kInfrastructure, "cannot get an answer from", program_,
                 std::move(cause), ""};
  }

  static std::string too_long(milliseconds timeout) {
    return fmt::format("took longer than {:g} s", static_cast<double>(timeout.count()) / 1000);
  }

  // Reads its standard error meanwhile, so that a full pipe never blocks it. False at the deadline.
  bool wait_for(const UniqueFd& fd, short events, SteadyClock::time_point deadline) {
    drain_errors();
    const auto left = std::chrono::ceil<milliseconds>(deadline - SteadyClock::now()).count();
    if (left <= 0) return false;
    pollfd fds[2] = {{fd.get(), events, 0}, {child_.standard_error.get(), POLLIN, 0}};
    ::poll(fds, 2, static_cast<int>(std::min<std::int64_t>(left, 60'000)));
    return true;
  }

  void drain_errors() {
    char buffer[4096];
    while (child_.standard_error.valid()) {
      const ssize_t count = ::read(child_.standard_error.get(), buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count == 0) child_.standard_error.reset();
      if (count <= 0) return;
      kept_errors_.append(buffer, static_cast<std::size_t>(count));
      if (kept_errors_.size() > kKeptErrors) {
        kept_errors_.erase(0, kept_errors_.size() - kKeptErrors);
      }
    }
  }

  // It has closed its end: it is ending, or will never answer again.
  std::string describe_end() {
    if (reaped_) return end_.describe_end();
    constexpr int kPatienceMs = 1000;
    pollfd ended{child_.pidfd.get(), POLLIN, 0};
    if (::poll(&ended, 1, kPatienceMs) != 1) return "closed its output";
    const int status = end_group(child_.pid);
    reaped_ = true;
    if (WIFSIGNALED(status)) {
      end_.end = Signalled{WTERMSIG(status)};
    } else {
      end_.end = Exited{WEXITSTATUS(status)};
    }
    return end_.describe_end();
  }

  std::string program_;
  Spawned child_;
  UniqueFd input_;
  std::string pending_;
  std::string kept_errors_;
  bool reaped_ = false;
  ProcessResult end_;
};

class RealConversationStarter : public ConversationStarter {
 public:
  Result<std::unique_ptr<Conversation>> start(const ProcessSpec& spec) override {
    // A socket and not a pipe: writing to a child that is gone must not raise SIGPIPE.
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
      return system_error("cannot create", "a socket", errno);
    }
    UniqueFd ours(fds[0]);
    UniqueFd childs(fds[1]);
    ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
    FORGE_TRY(Spawned child, spawn(spec, std::move(childs)));
    return std::unique_ptr<Conversation>(
        std::make_unique<RealConversation>(spec.argv[0], std::move(child), std::move(ours)));
  }
};

}  // namespace

std::unique_ptr<ConversationStarter> make_real_conversation_starter() {
  return std::make_unique<RealConversationStarter>();
}

}  // namespace forge
