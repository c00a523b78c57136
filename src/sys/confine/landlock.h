// Landlock by bare system calls. Plain C++ without our libraries and without exceptions, since
// programs that confine themselves have none of them. May know: Linux.
#pragma once

#include <cstddef>

namespace forge::confine {

enum class Access {
  kRead,   // read and execute
  kWrite,  // everything but execute and making special files
};

// A file, or a folder with all that is below it.
struct PathRule {
  const char* path = nullptr;
  Access access = Access::kRead;
};

enum class Tcp { kNone, kFree };

// The version of Landlock that this kernel offers; 0: none.
int landlock_abi();

// From here on this process and those that it starts reach the rules' paths and no others, bind and
// connect no TCP port unless it is free to, and signal nobody outside, as far as this kernel's
// version goes. Requires no
// new privileges to be set. Paths that do not exist are passed over. 0, or an errno value; ENOSYS
// if the kernel has no Landlock.
int restrict_to(const PathRule* rules, std::size_t count, Tcp tcp = Tcp::kNone);

// Since this version signals are kept inside.
inline constexpr int kAbiWithSignals = 6;

}  // namespace forge::confine
