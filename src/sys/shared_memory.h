// Memory files: memory that another process can be handed as a descriptor, and nobody can find by
// name. May know: base.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"

namespace forge {

// Owns a memory file and this process's writable mapping of it. Movable.
class SharedMemory {
 public:
  SharedMemory() = default;
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // `name` shows in /proc/*/maps only. Zero bytes make an empty file without a mapping. kOnUse is
  // for memory that is mostly never touched; its pages cost a fault each when they are.
  enum class Pages { kNow, kOnUse };
  static Result<SharedMemory> create(const std::string& name, std::size_t bytes,
                                     Pages pages = Pages::kNow);
  // A sealed file with this content, executable if need be (memory files are by default).
  static Result<SharedMemory> with_content(const std::string& name, const void* data,
                                           std::size_t bytes);

  // Takes the descriptor over and maps all of it, for reading and writing.
  static Result<SharedMemory> adopt(const std::string& name, int descriptor);

  // After this no new writable mapping can be made and no write() succeeds, for anybody: only the
  // mapping that we hold stays writable (F_SEAL_FUTURE_WRITE, Linux 5.1).
  Status forbid_other_writers();

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  int fd() const { return fd_; }

 private:
  void release();

  int fd_ = -1;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// All that a memory file holds.
Result<std::string> memory_file_content(int descriptor);

}  // namespace forge
