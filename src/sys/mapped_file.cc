#include "sys/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace forge {

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), bytes_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Result<MappedFile> MappedFile::open(const Path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (fd < 0 || fstat(fd, &status) != 0) {
    const Error error{ErrorKind::kInfrastructure, "cannot read", path.string(), strerror(errno),
                      ""};
    if (fd >= 0) close(fd);
    return error;
  }
  MappedFile file;
  file.bytes_ = static_cast<std::size_t>(status.st_size);
  if (file.bytes_ > 0) {
    void* address = mmap(nullptr, file.bytes_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (address == MAP_FAILED) {
      const Error error{ErrorKind::kInfrastructure, "cannot map", path.string(), strerror(errno),
                        ""};
      close(fd);
      return error;
    }
    file.data_ = static_cast<const std::byte*>(address);
  }
  close(fd);
  return file;
}

}  // namespace forge
