#include "sys/conversation.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace forge {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kLongestLine = 64 << 10;
constexpr std::size_t kKeptErrors = 4 << 10;

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    reset();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  ~FileDescriptor() { reset(); }
  int get() const { return fd_; }
  void reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

struct Ends {
  FileDescriptor ours;
  FileDescriptor childs;
};

Error could_not_start(const std::string& program, int reason) {
  return Error{ErrorKind::kInfrastructure, "cannot start", program, std::strerror(reason), ""};
}

// For its input a socket and not a pipe: writing to a child that is gone must not raise SIGPIPE.
Result<Ends> make_input(const std::string& program) {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
    return could_not_start(program, errno);
  }
  ::fcntl(fds[0], F_SETFL, O_NONBLOCK);
  return Ends{FileDescriptor(fds[0]), FileDescriptor(fds[1])};
}

Result<Ends> make_output(const std::string& program) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return could_not_start(program, errno);
  ::fcntl(fds[0], F_SETFL, O_NONBLOCK);
  return Ends{FileDescriptor(fds[0]), FileDescriptor(fds[1])};
}

// Everything that the child needs after fork, where memory can't be allocated.
struct ChildPlan {
  std::vector<char*> argv;
  std::vector<char*> environment;
  std::string directory;
  int input = -1;
  int output = -1;
  int errors = -1;
  pid_t parent = 0;
};

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_of(const ProcessSpec& spec) {
  std::vector<std::string> result;
  for (const auto& [name, value] : spec.environment) result.push_back(name + "=" + value);
  if (spec.environment_mode == EnvironmentMode::kOnlyGiven) return result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    bool given = false;
    for (const auto& variable : spec.environment) given = given || variable.first == name;
    if (!given) result.emplace_back(text);
  }
  return result;
}

// Only async-signal-safe calls: other threads of ours may hold any lock at the fork.
[[noreturn]] void become_child(const ChildPlan& plan, int report) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() == plan.parent) {
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE}) ::signal(number, SIG_DFL);
    ::dup2(plan.input, STDIN_FILENO);
    ::dup2(plan.output, STDOUT_FILENO);
    ::dup2(plan.errors, STDERR_FILENO);
    if (plan.directory.empty() || ::chdir(plan.directory.c_str()) == 0) {
      ::execvpe(plan.argv[0], plan.argv.data(), plan.environment.data());
    }
  }
  const int reason = errno;
  (void)!::write(report, &reason, sizeof reason);
  ::_exit(127);
}

class RealConversation : public Conversation {
 public:
  RealConversation(std::string program, pid_t pid, FileDescriptor input, FileDescriptor output,
                   FileDescriptor errors)
      : program_(std::move(program)),
        pid_(pid),
        input_(std::move(input)),
        output_(std::move(output)),
        errors_(std::move(errors)) {}

  ~RealConversation() override {
    ::kill(-pid_, SIGKILL);
    if (!reaped_) ::waitpid(pid_, nullptr, 0);
  }

  int pid() const override { return pid_; }

  Status send(std::string_view text, milliseconds timeout) override {
    const auto deadline = SteadyClock::now() + timeout;
    while (!text.empty()) {
      const ssize_t sent = ::send(input_.get(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent > 0) {
        text.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
        if (!wait_for(input_, POLLOUT, deadline)) return no_answer(too_long(timeout));
      } else {
        return no_answer(describe_end() + " before it took the request");
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
      const ssize_t count = ::read(output_.get(), buffer, sizeof buffer);
      if (count > 0) {
        pending_.append(buffer, static_cast<std::size_t>(count));
      } else if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        if (!wait_for(output_, POLLIN, deadline)) return no_answer(too_long(timeout));
      } else {
        return no_answer(describe_end() + " before it answered");
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
  bool wait_for(const FileDescriptor& fd, short events, SteadyClock::time_point deadline) {
    drain_errors();
    const auto left = std::chrono::ceil<milliseconds>(deadline - SteadyClock::now()).count();
    if (left <= 0) return false;
    pollfd fds[2] = {{fd.get(), events, 0}, {errors_.get(), POLLIN, 0}};
    ::poll(fds, 2, static_cast<int>(std::min<std::int64_t>(left, 60'000)));
    return true;
  }

  void drain_errors() {
    char buffer[4096];
    while (errors_.get() >= 0) {
      const ssize_t count = ::read(errors_.get(), buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count == 0) errors_.reset();
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
    constexpr int kPatienceMs = 200;
    const FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    pollfd ended{process.get(), POLLIN, 0};
    ::poll(&ended, 1, kPatienceMs);
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return "closed its output";
    reaped_ = true;
    if (WIFSIGNALED(status)) {
      end_.end = Signalled{WTERMSIG(status)};
    } else {
      end_.end = Exited{WEXITSTATUS(status)};
    }
    return end_.describe_end();
  }

  std::string program_;
  pid_t pid_;
  FileDescriptor input_;
  FileDescriptor output_;
  FileDescriptor errors_;
  std::string pending_;
  std::string kept_errors_;
  bool reaped_ = false;
  ProcessResult end_;
};

// 0 when the child has become the program, else the errno of what failed.
int wait_for_exec(const FileDescriptor& report) {
  int reason = 0;
  ssize_t count = 0;
  do {
    count = ::read(report.get(), &reason, sizeof reason);
  } while (count < 0 && errno == EINTR);
  return count == sizeof reason ? reason : 0;
}

class RealConversationStarter : public ConversationStarter {
 public:
  Result<std::unique_ptr<Conversation>> start(const ProcessSpec& spec) override {
    FORGE_CHECK(!spec.argv.empty());
    const std::string& program = spec.argv[0];
    FORGE_TRY(Ends input, make_input(program));
    FORGE_TRY(Ends output, make_output(program));
    FORGE_TRY(Ends errors, make_output(program));
    FORGE_TRY(Ends report, make_output(program));
    ::fcntl(report.ours.get(), F_SETFL, 0);  // blocks until the child has become the program

    std::vector<std::string> arguments = spec.argv;
    std::vector<std::string> environment = environment_of(spec);
    const ChildPlan plan{pointers_to(arguments),
                         pointers_to(environment),
                         spec.working_directory.string(),
                         input.childs.get(),
                         output.childs.get(),
                         errors.childs.get(),
                         ::getpid()};
    const pid_t pid = ::fork();
    if (pid < 0) return could_not_start(program, errno);
    if (pid == 0) become_child(plan, report.childs.get());
    report.childs.reset();
    if (const int reason = wait_for_exec(report.ours); reason != 0) {
      ::waitpid(pid, nullptr, 0);
      return could_not_start(program, reason);
    }
    return std::unique_ptr<Conversation>(std::make_unique<RealConversation>(
        program, pid, std::move(input.ours), std::move(output.ours), std::move(errors.ours)));
  }
};

}  // namespace

std::unique_ptr<ConversationStarter> make_real_conversation_starter() {
  return std::make_unique<RealConversationStarter>();
}

}  // namespace forge
