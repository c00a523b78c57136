#include "sys/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <utility>

namespace forge {
namespace {

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

Error failure(const std::string& attempt, const std::string& name) {
  return Error{ErrorKind::kInfrastructure, attempt, "'" + name + "'", strerror(errno),
               "check free memory and the limit of /dev/shm"};
}

}  // namespace

SharedMemory::~SharedMemory() { release(); }

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  if (this != &other) {
    release();
    fd_ = std::exchange(other.fd_, -1);
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

void SharedMemory::release() {
  if (data_ != nullptr) munmap(data_, bytes_);
  if (fd_ >= 0) close(fd_);
  data_ = nullptr;
  fd_ = -1;
}

Result<SharedMemory> SharedMemory::create(const std::string& name, std::size_t bytes, Pages pages) {
  SharedMemory memory;
  memory.fd_ = memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory.fd_ < 0) return failure("cannot create shared memory", name);
  memory.bytes_ = bytes;
  if (bytes == 0) return memory;
  if (ftruncate(memory.fd_, static_cast<off_t>(bytes)) != 0) {
    return failure("cannot size shared memory", name);
  }
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | (pages == Pages::kNow ? MAP_POPULATE : 0), memory.fd_, 0);
  if (address == MAP_FAILED) return failure("cannot map shared memory", name);
  memory.data_ = static_cast<std::byte*>(address);
  return memory;
}

Result<SharedMemory> SharedMemory::with_content(const std::string& name, const void* data,
                                                std::size_t bytes) {
  SharedMemory memory;
  memory.fd_ = memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory.fd_ < 0) return failure("cannot create shared memory", name);
  const auto* from = static_cast<const char*>(data);
  for (std::size_t written = 0; written < bytes;) {
    const ssize_t count = write(memory.fd_, from + written, bytes - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failure("cannot fill shared memory", name);
    written += static_cast<std::size_t>(count);
  }
  memory.bytes_ = bytes;
  constexpr int kAll = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  if (fcntl(memory.fd_, F_ADD_SEALS, kAll) != 0) return failure("cannot seal shared memory", name);
  return memory;
}

Status SharedMemory::forbid_other_writers() {
  constexpr int kSeals = F_SEAL_FUTURE_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (fcntl(fd_, F_ADD_SEALS, kSeals) != 0) return failure("cannot seal shared memory", "inputs");
  return {};
}

Result<SharedMemory> SharedMemory::adopt(const std::string& name, int descriptor) {
  SharedMemory memory;
  memory.fd_ = descriptor;
  const off_t end = lseek(descriptor, 0, SEEK_END);
  if (end < 0) return failure("cannot measure shared memory", name);
  memory.bytes_ = static_cast<std::size_t>(end);
  if (end == 0) return memory;
  void* address = mmap(nullptr, memory.bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                       descriptor, 0);
  if (address == MAP_FAILED) return failure("cannot map shared memory", name);
  memory.data_ = static_cast<std::byte*>(address);
  return memory;
}

Result<std::string> memory_file_content(int descriptor) {
  const off_t end = lseek(descriptor, 0, SEEK_END);
  std::string content(end < 0 ? 0 : static_cast<std::size_t>(end), '\0');
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t count =
        pread(descriptor, content.data() + done, content.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failure("cannot read", "a memory file");
    done += static_cast<std::size_t>(count);
  }
  return content;
}

}  // namespace forge
