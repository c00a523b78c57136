#include "sys/file_io.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "sys/unique_fd.h"

namespace forge {

int write_fully(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int read_fully(int fd, std::string& out) {
  std::array<char, 64 * 1024> buffer;
  while (true) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return 0;
    out.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

int sync_path(const char* path) {
  const UniqueFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return errno;
  if (::fsync(fd.get()) == 0 || errno == EINVAL) return 0;
  return errno;
}

}  // namespace forge
