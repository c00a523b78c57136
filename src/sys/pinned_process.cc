#include "sys/pinned_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "sys/unique_fd.h"

namespace forge {
namespace {

constexpr std::size_t kOutputLimit = 64 * 1024;
constexpr auto kPatienceToStop = std::chrono::seconds(10);

Error failure(const std::string& attempt, const std::string& object) {
  return Error{ErrorKind::kInfrastructure, attempt, object, strerror(errno), ""};
}

// Not first-in-first-out: threads of a kernel that wait for each other on one CPU must take turns.
constexpr int kRealTimePolicy = SCHED_RR;

void set_policy(int policy) {
  sched_param parameters{};
  parameters.sched_priority = policy == kRealTimePolicy ? sched_get_priority_min(policy) : 0;
  sched_setscheduler(0, policy, &parameters);
}

cpu_set_t to_cpu_set(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  return set;
}

// What the child does between fork and exec. Descriptors are first moved above every target number,
// so that no move overwrites a source that is still needed.
struct ChildPlan {
  const PinnedSpec* spec;
  std::vector<char*> argv;
  std::vector<char*> environment;
  int output = -1;
  pid_t parent = 0;
};

void place_descriptors(const ChildPlan& plan) {
  constexpr int kAbove = 100;
  std::vector<std::pair<int, int>> moved;
  for (const auto& [target, source] : plan.spec->descriptors) {
    moved.emplace_back(target, fcntl(source, F_DUPFD, kAbove));
  }
  const int executable =
      plan.spec->executable_fd < 0 ? -1 : fcntl(plan.spec->executable_fd, F_DUPFD, kAbove);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(plan.output, STDOUT_FILENO);
  dup2(plan.output, STDERR_FILENO);
  int last = STDERR_FILENO;
  for (const auto& [target, source] : moved) {
    dup2(source, target);
    last = std::max(last, target);
  }
  if (executable >= 0) {
    constexpr int kExecutable = 90;
    dup2(executable, kExecutable);
    fcntl(kExecutable, F_SETFD, FD_CLOEXEC);
    if (last + 1 < kExecutable) syscall(SYS_close_range, last + 1, kExecutable - 1, 0);
    syscall(SYS_close_range, kExecutable + 1, ~0u, 0);
    syscall(SYS_execveat, kExecutable, "", plan.argv.data(), plan.environment.data(),
            AT_EMPTY_PATH);
  } else {
    syscall(SYS_close_range, last + 1, ~0u, 0);
    execvpe(plan.spec->executable.c_str(), plan.argv.data(), plan.environment.data());
  }
}

[[noreturn]] void run_child(const ChildPlan& plan) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);  // it died before the line above
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) signal(number, SIG_DFL);
  if (!plan.spec->cpus.empty()) {
    const cpu_set_t set = to_cpu_set(plan.spec->cpus);
    sched_setaffinity(0, sizeof set, &set);
    set_policy(kRealTimePolicy);
  }
  place_descriptors(plan);
  _exit(127);
}

std::string read_text(const std::string& path) {
  char buffer[1024];
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const ssize_t count = file.valid() ? read(file.get(), buffer, sizeof buffer) : 0;
  return std::string(buffer, count > 0 ? static_cast<std::size_t>(count) : 0);
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& text : strings) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

std::optional<ProcessEnd> to_end(int status) {
  if (WIFEXITED(status)) return Exited{WEXITSTATUS(status)};
  if (WIFSIGNALED(status)) return Signalled{WTERMSIG(status)};
  return std::nullopt;
}

}  // namespace

PinnedProcess::~PinnedProcess() { kill(); }

PinnedProcess::PinnedProcess(PinnedProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_fd_(std::exchange(other.output_fd_, -1)),
      output_(std::move(other.output_)),
      end_(other.end_) {}

PinnedProcess& PinnedProcess::operator=(PinnedProcess&& other) noexcept {
  if (this != &other) {
    kill();
    pid_ = std::exchange(other.pid_, -1);
    output_fd_ = std::exchange(other.output_fd_, -1);
    output_ = std::move(other.output_);
    end_ = other.end_;
  }
  return *this;
}

Result<PinnedProcess> PinnedProcess::spawn(const PinnedSpec& spec) {
  int pipe_fds[2];
  if (pipe2(pipe_fds, O_CLOEXEC | O_NONBLOCK) != 0) return failure("cannot make", "a pipe");
  std::vector<std::string> arguments = spec.argv;
  std::vector<std::string> environment;
  for (const auto& [name, value] : spec.environment) environment.push_back(name + "=" + value);
  const ChildPlan plan{&spec, pointers(arguments), pointers(environment), pipe_fds[1], getpid()};
  const pid_t pid = fork();
  if (pid == 0) run_child(plan);
  close(pipe_fds[1]);
  if (pid < 0) {
    close(pipe_fds[0]);
    return failure("cannot start", spec.argv.empty() ? spec.executable : spec.argv[0]);
  }
  PinnedProcess process;
  process.pid_ = pid;
  process.output_fd_ = pipe_fds[0];
  return process;
}

PinnedProcess PinnedProcess::adopt(pid_t pid) {
  PinnedProcess process;
  process.pid_ = pid;
  return process;
}

std::optional<ProcessEnd> PinnedProcess::reap(int options) {
  if (pid_ <= 0) return end_;
  int status = 0;
  const pid_t got = waitpid(pid_, &status, options);
  if (got == pid_) {
    if (const auto end = to_end(status)) {
      end_ = end;
      pid_ = -1;
    }
  }
  return end_;
}

bool PinnedProcess::stop() {
  if (pid_ <= 0) return false;
  ::kill(pid_, SIGSTOP);
  const auto deadline = std::chrono::steady_clock::now() + kPatienceToStop;
  while (true) {
    siginfo_t info{};
    const int waited =
        waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WEXITED | WNOWAIT | WNOHANG);
    if (waited != 0 && errno == EINTR) continue;
    if (waited != 0) return false;
    if (info.si_pid == 0) {
      if (std::chrono::steady_clock::now() < deadline) continue;
      ::kill(pid_, SIGKILL);
      reap(0);
      return false;
    }
    if (info.si_code == CLD_STOPPED || info.si_code == CLD_TRAPPED) {
      // Consume the stop, so that the next one is waited for anew.
      waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WNOHANG);
      return true;
    }
    reap(0);
    return false;
  }
}

void PinnedProcess::resume() {
  if (pid_ > 0) ::kill(pid_, SIGCONT);
}

std::optional<ProcessEnd> PinnedProcess::poll_end() {
  drain();
  return reap(WNOHANG);
}

std::optional<ProcessEnd> PinnedProcess::wait_end(std::chrono::milliseconds limit) {
  if (pid_ <= 0) return end_;
  // By number: glibc wraps this call only since 2.36.
  const UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  pollfd ended{pidfd.get(), POLLIN, 0};
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (pidfd.valid()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    const auto wait = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
    const int ready = ::poll(&ended, 1, wait);
    if (ready >= 0 || errno != EINTR) break;
  }
  return poll_end();
}

std::int64_t PinnedProcess::processor_ns() const {
  clockid_t clock = 0;
  timespec used{};
  if (pid_ <= 0 || clock_getcpuclockid(pid_, &clock) != 0) return 0;
  if (clock_gettime(clock, &used) != 0) return 0;
  return static_cast<std::int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec;
}

std::vector<ThreadState> PinnedProcess::threads() const {
  std::vector<ThreadState> threads;
  const std::string tasks = "/proc/" + std::to_string(pid_) + "/task";
  DIR* folder = pid_ > 0 ? opendir(tasks.c_str()) : nullptr;
  if (folder == nullptr) return threads;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    const std::string text = read_text(tasks + "/" + entry->d_name + "/stat");
    // The name, in brackets, is the process's own choice.
    const auto state = text.rfind(") ");
    const bool runnable = state != std::string::npos && text.compare(state + 2, 1, "R") == 0;
    threads.push_back({std::atoi(entry->d_name), runnable});
  }
  closedir(folder);
  return threads;
}

void PinnedProcess::kill() {
  if (pid_ > 0) {
    const pid_t group = pid_;
    ::kill(pid_, SIGKILL);
    reap(0);
    // Whatever it left behind in its group; nothing is there for a confined runner.
    ::kill(-group, SIGKILL);
    pid_ = -1;
  }
  drain();
  if (output_fd_ >= 0) close(output_fd_);
  output_fd_ = -1;
}

void PinnedProcess::drain() {
  char buffer[4096];
  while (output_fd_ >= 0) {
    const ssize_t count = read(output_fd_, buffer, sizeof buffer);
    if (count <= 0) break;
    if (output_.size() < kOutputLimit) {
      output_.append(buffer, std::min<std::size_t>(static_cast<std::size_t>(count),
                                                   kOutputLimit - output_.size()));
    }
  }
}

const std::string& PinnedProcess::output() {
  drain();
  return output_;
}

void become_subreaper() { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

Status pin_this_thread(const std::vector<int>& cpus) {
  const cpu_set_t set = to_cpu_set(cpus);
  if (sched_setaffinity(0, sizeof set, &set) != 0)
    return failure("cannot pin to", "the given CPUs");
  return {};
}

RealTime::RealTime() { set_policy(kRealTimePolicy); }
RealTime::~RealTime() { set_policy(SCHED_OTHER); }

void take_precedence() {
  constexpr int kNice = -15;
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, kNice));
}

void die_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace forge
