#include "sys/disk_use.h"

#include <sys/stat.h>

#include <system_error>

namespace forge {
namespace {

constexpr std::uint64_t kBlockBytes = 512;  // the unit of st_blocks, whatever the file system's

std::uint64_t own_bytes(const Path& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0
             ? static_cast<std::uint64_t>(status.st_blocks) * kBlockBytes
             : 0;
}

}  // namespace

std::uint64_t disk_use(const Path& path) {
  std::uint64_t bytes = own_bytes(path);
  std::error_code failed;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  for (std::filesystem::recursive_directory_iterator it(path, options, failed), end;
       !failed && it != end; it.increment(failed)) {
    bytes += own_bytes(it->path());
  }
  return bytes;
}

}  // namespace forge
