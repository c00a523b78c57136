// Watches over a tree of processes that may neither leave their group nor signal anybody. Plain C++
// without our libraries. May know: Linux.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace forge::confine {

struct TreeLimits {
  int processes = 0;               // 0: none
  std::uint64_t memory_bytes = 0;  // resident, of all together; 0: none
};

// Starts the supervisor as a member of the caller's process group, which the caller must lead. It
// ends the whole group when `owner` ends or a limit is passed (then it says so on standard error,
// in a line that begins with kStopped), and ends by itself when the caller does. 0 or errno.
int supervise(pid_t owner, const TreeLimits& limits);

inline constexpr char kStopped[] = "forge-launcher: stopped: ";

}  // namespace forge::confine
