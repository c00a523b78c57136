#include "sys/confine/supervisor.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace forge::confine {
namespace {

constexpr int kLookMs = 100;
// Looking at every process of a large machine takes a while: at most this share of a core goes
// there.
constexpr int kRestPerLook = 20;

struct Tree {
  int processes = 0;
  std::uint64_t memory_bytes = 0;
};

std::int64_t now_ms() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

// The group of a process and its resident pages; false if there is no such process any more.
bool read_process(const char* number, int* group, long* pages) {
  char path[sizeof dirent::d_name + 16];
  snprintf(path, sizeof path, "/proc/%s/stat", number);
  FILE* file = fopen(path, "re");
  if (file == nullptr) return false;
  char line[1024];
  const std::size_t bytes = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  line[bytes] = '\0';
  // The name, in parentheses, may hold anything.
  const char* rest = strrchr(line, ')');
  return rest != nullptr &&
         sscanf(rest + 1,
                " %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %*u "
                "%*u %ld",
                group, pages) == 2;
}

Tree look_at(pid_t wanted_group) {
  Tree tree;
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return tree;
  const long page = sysconf(_SC_PAGESIZE);
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    int group = 0;
    long pages = 0;
    if (!read_process(entry->d_name, &group, &pages) || group != wanted_group) continue;
    ++tree.processes;
    tree.memory_bytes += static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  }
  closedir(folder);
  return tree;
}

// The supervisor itself is one of the group.
const char* what_is_passed(const Tree& tree, const TreeLimits& limits) {
  if (limits.processes > 0 && tree.processes - 1 > limits.processes) return "too many processes";
  if (limits.memory_bytes > 0 && tree.memory_bytes > limits.memory_bytes) return "too much memory";
  return nullptr;
}

[[noreturn]] void watch(pid_t group, int owner_fd, int leader_fd, const TreeLimits& limits) {
  int pause_ms = kLookMs;
  while (true) {
    pollfd ends[] = {{owner_fd, POLLIN, 0}, {leader_fd, POLLIN, 0}};
    if (poll(ends, 2, pause_ms) < 0 && errno != EINTR) break;
    if (ends[0].revents != 0) break;
    if (ends[1].revents != 0) _exit(0);
    const std::int64_t begin = now_ms();
    const char* passed = what_is_passed(look_at(group), limits);
    pause_ms = kLookMs + kRestPerLook * static_cast<int>(now_ms() - begin);
    if (passed == nullptr) continue;
    char note[128];
    const int bytes = snprintf(note, sizeof note, "\n%s%s\n", kStopped, passed);
    [[maybe_unused]] const ssize_t told =
        write(STDERR_FILENO, note, static_cast<std::size_t>(bytes));
    break;
  }
  kill(-group, SIGKILL);
  _exit(0);
}

}  // namespace

int supervise(pid_t owner, const TreeLimits& limits) {
  const pid_t leader = getpid();
  // By number: glibc wraps this call only since 2.36.
  const auto owner_fd = static_cast<int>(syscall(SYS_pidfd_open, owner, 0));
  const auto leader_fd = static_cast<int>(syscall(SYS_pidfd_open, leader, 0));
  if (owner_fd < 0 || leader_fd < 0) return errno;
  const pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) {
    // Readers of the program's output must not wait for us.
    close(STDOUT_FILENO);
    watch(leader, owner_fd, leader_fd, limits);
  }
  close(owner_fd);
  close(leader_fd);
  return 0;
}

}  // namespace forge::confine
