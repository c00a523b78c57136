// forge-launcher: gives up rights and becomes another program. Carried inside our executables and
// started by sys/spawn.cc, never by hand. Built without our libraries and without sanitizers.
//
// usage: forge-launcher OWNER [--read PATH] [--write PATH] [--processes N] [--memory BYTES]
//                       [--cpu-seconds N] [--agent online|offline] -- PROGRAM ARGUMENT…
//        forge-launcher --layers
//
// The program keeps this process's number. Exit codes of the launcher's own: 125 (it could not
// confine itself), 127 (the program could not be started); each with a line on standard error.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/confine/landlock.h"
#include "sys/confine/privileges.h"
#include "sys/confine/supervisor.h"

namespace forge::confine {
namespace {

constexpr int kMaxRules = 512;

struct Options {
  pid_t owner = 0;
  PathRule rules[kMaxRules];
  std::size_t rule_count = 0;
  TreeLimits limits;
  rlim_t cpu_seconds = RLIM_INFINITY;
  Calls calls = Calls::kOfProgram;
  char** program = nullptr;
};

[[noreturn]] void fail(int code, const char* attempt, const char* object, int error) {
  fprintf(stderr, "forge-launcher: cannot %s %s: %s\n", attempt, object, strerror(error));
  _exit(code);
}

void add_rule(Options& options, const char* path, Access access) {
  if (options.rule_count == kMaxRules) fail(125, "take", "so many paths", E2BIG);
  options.rules[options.rule_count++] = {path, access};
}

void read_option(Options& options, const char* name, const char* value) {
  if (strcmp(name, "--read") == 0) {
    add_rule(options, value, Access::kRead);
  } else if (strcmp(name, "--write") == 0) {
    add_rule(options, value, Access::kWrite);
  } else if (strcmp(name, "--processes") == 0) {
    options.limits.processes = atoi(value);
  } else if (strcmp(name, "--memory") == 0) {
    options.limits.memory_bytes = strtoull(value, nullptr, 10);
  } else if (strcmp(name, "--cpu-seconds") == 0) {
    options.cpu_seconds = strtoull(value, nullptr, 10);
  } else if (strcmp(name, "--agent") == 0) {
    options.calls = strcmp(value, "online") == 0 ? Calls::kOfAgentOnline : Calls::kOfAgentOffline;
  } else {
    fail(125, "understand", name, EINVAL);
  }
}

Options read_options(int argc, char** argv) {
  Options options;
  if (argc < 2) fail(125, "run without", "arguments", EINVAL);
  options.owner = atoi(argv[1]);
  int i = 2;
  while (i + 1 < argc && strcmp(argv[i], "--") != 0) {
    read_option(options, argv[i], argv[i + 1]);
    i += 2;
  }
  if (i + 1 >= argc) fail(125, "run without", "a program", EINVAL);
  options.program = argv + i + 1;
  return options;
}

void confine(const Options& options) {
  const rlimit cpu{options.cpu_seconds, options.cpu_seconds};
  if (setrlimit(RLIMIT_CPU, &cpu) != 0) fail(125, "limit", "cpu time", errno);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail(125, "give up", "new privileges", errno);
  const Tcp tcp = options.calls == Calls::kOfAgentOnline ? Tcp::kFree : Tcp::kNone;
  const int paths = restrict_to(options.rules, options.rule_count, tcp);
  // A kernel without Landlock: forge doctor says so, and the layers below still hold.
  if (paths != 0 && paths != ENOSYS && paths != EOPNOTSUPP) fail(125, "give up", "paths", paths);
  if (const int error = drop_capabilities(Keep::kFileAccess)) {
    fail(125, "give up", "capabilities", error);
  }
  if (const int error = deny_system_calls(options.calls))
    fail(125, "give up", "system calls", error);
}

// Tries what a confined program must not be able to do, in a process of its own.
[[noreturn]] void try_layers() {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) puts("no-new-privileges");
  if (restrict_to(nullptr, 0) == 0 && open("/", O_RDONLY | O_CLOEXEC) < 0) puts("landlock");
  if (drop_capabilities(Keep::kFileAccess) == 0) puts("capabilities");
  if (deny_system_calls(Calls::kOfProgram) == 0 && socket(AF_UNIX, SOCK_STREAM, 0) < 0 &&
      errno == EPERM) {
    puts("seccomp");
  }
  fflush(stdout);
  _exit(0);
}

int run(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--layers") == 0) try_layers();
  const Options options = read_options(argc, argv);
  if (const int error = supervise(options.owner, options.limits)) {
    fail(125, "watch over", options.program[0], error);
  }
  confine(options);
  execvp(options.program[0], options.program);
  fail(127, "start", options.program[0], errno);
}

}  // namespace
}  // namespace forge::confine

int main(int argc, char** argv) { return forge::confine::run(argc, argv); }
