#include "sys/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "sys/confined.h"
#include "sys/file_io.h"
#include "sys/system_error.h"

extern char** environ;

namespace forge {
namespace {

// All that the child needs, ready before it exists: between vfork and exec it shares our memory and
// may make system calls only.
struct ChildPlan {
  std::vector<std::string> environment_storage;
  std::vector<char*> argv;
  std::vector<char*> environment;
  std::string executable;
  int executable_fd = -1;                   // instead of `executable`, if it is one
  const char* working_directory = nullptr;  // null: ours
  rlim_t address_space = RLIM_INFINITY;
  rlim_t file_size = RLIM_INFINITY;
  int input = -1;
  int output = -1;
  int error = -1;
  pid_t parent = 0;
  // Set by the child if it fails before the program runs.
  const char* failed_attempt = nullptr;
  int failure = 0;
};

void lower_limit(int resource, rlim_t value) {
  rlimit limit{};
  if (value == RLIM_INFINITY ||
      ::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) {
    return;
  }
  if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) limit.rlim_max = value;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

// But `kept`, which is closed when the program starts.
void close_inherited_descriptors(int kept) {
  constexpr unsigned kFirst = STDERR_FILENO + 1;
  const auto up_to = kept < 0 ? ~0u : static_cast<unsigned>(kept) - 1;
  const bool closed =
      (kept == static_cast<int>(kFirst) || ::syscall(SYS_close_range, kFirst, up_to, 0) == 0) &&
      (kept < 0 || ::syscall(SYS_close_range, kept + 1, ~0u, 0) == 0);
  if (closed) return;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  for (rlim_t fd = kFirst; fd < limit.rlim_cur; ++fd) {
    if (static_cast<int>(fd) != kept) ::close(static_cast<int>(fd));
  }
}

// Handlers of ours must not run in the child, where they would write to our memory, and what we
// ignore (SIGPIPE) the program should not.
void reset_signals() {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Descriptors are above 2 already (see above_standard), so that no dup2 overwrites another's
// source.
[[noreturn]] void run_child(ChildPlan& plan) {
  const auto fail = [&](const char* attempt) {
    plan.failed_attempt = attempt;
    plan.failure = errno;
    ::_exit(127);
  };
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) ::_exit(127);  // it died before the line above
  if (::dup2(plan.input, STDIN_FILENO) < 0 || ::dup2(plan.output, STDOUT_FILENO) < 0 ||
      ::dup2(plan.error, STDERR_FILENO) < 0) {
    fail("cannot set up the standard streams of");
  }
  close_inherited_descriptors(plan.executable_fd);
  if (plan.working_directory != nullptr && ::chdir(plan.working_directory) != 0) {
    fail("cannot enter the working directory of");
  }
  lower_limit(RLIMIT_CORE, 0);
  lower_limit(RLIMIT_AS, plan.address_space);
  lower_limit(RLIMIT_FSIZE, plan.file_size);
  reset_signals();
  if (plan.executable_fd >= 0) {
    ::syscall(SYS_execveat, plan.executable_fd, "", plan.argv.data(), plan.environment.data(),
              AT_EMPTY_PATH);
  } else {
    ::execve(plan.executable.c_str(), plan.argv.data(), plan.environment.data());
  }
  fail("cannot start");
  ::_exit(127);
}

// Returns the child's process number or -1. Apart from its caller, since what the caller keeps in
// registers is not preserved across vfork.
[[gnu::noinline]] pid_t vfork_child(ChildPlan& plan) {
  const pid_t pid = ::vfork();
  if (pid == 0) run_child(plan);
  return pid;
}

pid_t start_child(ChildPlan& plan) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = vfork_child(plan);
  const int failure = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = failure;
  return pid;
}

std::string_view name_of(const std::string& assignment) {
  return std::string_view(assignment).substr(0, assignment.find('='));
}

std::vector<std::string> environment_of(const ProcessSpec& spec) {
  std::vector<std::string> result;
  if (spec.environment_mode == EnvironmentMode::kInherit) {
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
      result.emplace_back(*entry);
    }
  }
  for (const auto& [name, value] : spec.environment) {
    std::erase_if(result, [&](const std::string& entry) { return name_of(entry) == name; });
    result.push_back(name + "=" + value);
  }
  return result;
}

Error not_found(const std::string& program) {
  return Error{ErrorKind::kNotFound, "cannot start", program, "it is not in PATH",
               "install it or add its folder to PATH"};
}

Result<std::string> find_executable(const std::string& program,
                                    const std::vector<std::string>& environment) {
  if (program.find('/') != std::string::npos) return program;
  std::string path = "/usr/local/bin:/usr/bin:/bin";
  for (const std::string& entry : environment) {
    if (name_of(entry) == "PATH") path = entry.substr(sizeof "PATH=" - 1);
  }
  for (const std::string& folder : split(path, ':')) {
    const Path candidate = Path(folder.empty() ? "." : folder) / program;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(candidate, ignored)) continue;
    // Absolute, since the child may change its directory before it is used.
    if (::access(candidate.c_str(), X_OK) == 0)
      return std::filesystem::absolute(candidate).string();
  }
  return not_found(program);
}

// Moves a descriptor above the standard ones, where it may have landed if those were closed.
UniqueFd above_standard(int fd) {
  UniqueFd owned(fd);
  if (fd < 0 || fd > STDERR_FILENO) return owned;
  return UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("cannot create", "a pipe", errno);
  Pipe pipe{above_standard(ends[0]), above_standard(ends[1])};
  if (!pipe.read_end.valid() || !pipe.write_end.valid() ||
      ::fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK) != 0) {
    return system_error("cannot create", "a pipe", errno);
  }
  return pipe;
}

// A file rather than a pipe: nobody has to feed it, and a program that does not read it costs
// neither a wait nor a SIGPIPE.
Result<UniqueFd> make_input(const std::string& content) {
  if (content.empty()) {
    UniqueFd null = above_standard(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!null.valid()) return system_error("cannot open", "/dev/null", errno);
    return null;
  }
  UniqueFd file = above_standard(::memfd_create("forge-stdin", MFD_CLOEXEC));
  if (!file.valid()) return system_error("cannot create", "a memory file", errno);
  int failed = write_fully(file.get(), content);
  if (failed == 0 && ::lseek(file.get(), 0, SEEK_SET) != 0) failed = errno;
  if (failed != 0) return system_error("cannot write", "a memory file", failed);
  return file;
}

// `spec` must outlive the plan.
ChildPlan plan_child(const ProcessSpec& spec) {
  ChildPlan plan;
  plan.environment_storage = environment_of(spec);
  for (const std::string& argument : spec.argv) {
    plan.argv.push_back(const_cast<char*>(argument.c_str()));
  }
  for (std::string& entry : plan.environment_storage) plan.environment.push_back(entry.data());
  plan.argv.push_back(nullptr);
  plan.environment.push_back(nullptr);
  if (!spec.working_directory.empty()) plan.working_directory = spec.working_directory.c_str();
  if (spec.limits.address_space_bytes > 0) plan.address_space = spec.limits.address_space_bytes;
  if (spec.limits.file_size_bytes > 0) plan.file_size = spec.limits.file_size_bytes;
  plan.parent = ::getpid();
  return plan;
}

Error start_failure(const ChildPlan& plan, const ProcessSpec& spec) {
  Error error = system_error(plan.failed_attempt, spec.argv[0], plan.failure);
  if (plan.failure == ENOEXEC) error.cause = "it is not an executable program";
  return error;
}

void reap(pid_t which, int* status) {
  while (::waitpid(which, status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Result<std::string> find_program(const std::string& program) {
  return find_executable(program, environment_of(ProcessSpec{}));
}

int end_group(pid_t leader) {
  ::kill(-leader, SIGKILL);
  int status = 0;
  reap(leader, &status);
  // What it had started and came to us as orphans, if we are those that orphans come to.
  while (::waitpid(-leader, nullptr, 0) > 0 || errno == EINTR) {
  }
  return status;
}

Result<Spawned> spawn(const ProcessSpec& wanted, UniqueFd input) {
  FORGE_CHECK(!wanted.argv.empty());
  const bool probe = wanted.confinement && wanted.confinement->kind == ConfinementKind::kProbe;
  std::string executable;
  if (!probe) {
    FORGE_TRY(executable, find_executable(wanted.argv[0], environment_of(wanted)));
  }
  const ProcessSpec spec = wanted.confinement ? through_launcher(wanted, executable) : wanted;
  ChildPlan plan = plan_child(spec);
  plan.executable = std::move(executable);
  if (wanted.confinement) {
    FORGE_TRY(plan.executable_fd, launcher_fd());
  }
  if (input.valid()) {
    input = above_standard(input.release());
  } else {
    FORGE_TRY(input, make_input(spec.standard_input));
  }
  FORGE_TRY(Pipe output, make_pipe());
  FORGE_TRY(Pipe error, make_pipe());
  plan.input = input.get();
  plan.output = output.write_end.get();
  plan.error = error.write_end.get();

  const pid_t pid = start_child(plan);
  if (pid < 0) return system_error("cannot start", spec.argv[0], errno);
  if (plan.failed_attempt != nullptr) {
    end_group(pid);
    return start_failure(plan, spec);
  }
  // By number: glibc wraps this call only since 2.36.
  UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd.valid()) {
    const int failure = errno;
    end_group(pid);
    return system_error("cannot watch", spec.argv[0], failure);
  }
  return Spawned{pid, std::move(pidfd), std::move(output.read_end), std::move(error.read_end)};
}

}  // namespace forge
