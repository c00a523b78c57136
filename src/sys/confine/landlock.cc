#include "sys/confine/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace forge::confine {
namespace {

// Plain numbers, because the headers at build time may be older than the kernel at run time. Order
// and versions: the kernel's Documentation/userspace-api/landlock.rst.
enum Right : std::uint64_t {
  kExecute = 1u << 0,
  kWriteFile = 1u << 1,
  kReadFile = 1u << 2,
  kReadFolder = 1u << 3,
  kRemoveFolder = 1u << 4,
  kRemoveFile = 1u << 5,
  kMakeFolder = 1u << 7,
  kMakeFile = 1u << 8,
  kRefer = 1u << 13,
  kTruncate = 1u << 14,
};
constexpr std::uint64_t kReading = kExecute | kReadFile | kReadFolder;
constexpr std::uint64_t kWriting = kWriteFile | kReadFile | kReadFolder | kRemoveFolder |
                                   kRemoveFile | kMakeFolder | kMakeFile | kRefer | kTruncate;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate;

struct Attributes {
  std::uint64_t handled_fs = 0;
  std::uint64_t handled_net = 0;
  std::uint64_t scoped = 0;
};

Attributes everything(int abi, Tcp tcp) {
  static constexpr int kRightsByAbi[] = {13, 14, 15, 15, 16};
  Attributes all;
  all.handled_fs = (1ull << kRightsByAbi[abi > 5 ? 4 : abi - 1]) - 1;
  if (abi >= 4 && tcp == Tcp::kNone) all.handled_net = 3;  // bind, connect
  if (abi >= kAbiWithSignals) all.scoped = 3;              // abstract sockets, signals
  return all;
}

int add_rule(int ruleset, const PathRule& rule, std::uint64_t handled) {
  const int fd = open(rule.path, O_PATH | O_CLOEXEC);
  if (fd < 0) return 0;
  struct stat info{};
  int error = fstat(fd, &info) == 0 ? 0 : errno;
  landlock_path_beneath_attr beneath{};
  beneath.parent_fd = fd;
  beneath.allowed_access = (rule.access == Access::kRead ? kReading : kWriting) & handled;
  if (!S_ISDIR(info.st_mode)) beneath.allowed_access &= kOfFiles;
  if (error == 0 &&
      syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) != 0) {
    error = errno;
  }
  close(fd);
  return error;
}

}  // namespace

int landlock_abi() {
  const long abi =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return abi < 1 ? 0 : static_cast<int>(abi);
}

int restrict_to(const PathRule* rules, std::size_t count, Tcp tcp) {
  const int abi = landlock_abi();
  if (abi == 0) return ENOSYS;
  const Attributes attributes = everything(abi, tcp);
  // Older kernels refuse a structure with members that they do not know.
  const std::size_t bytes = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  const auto ruleset =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, bytes, 0));
  if (ruleset < 0) return errno;
  int error = 0;
  for (std::size_t i = 0; i < count && error == 0; ++i) {
    error = add_rule(ruleset, rules[i], attributes.handled_fs);
  }
  if (error == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) error = errno;
  close(ruleset);
  return error;
}

}  // namespace forge::confine
