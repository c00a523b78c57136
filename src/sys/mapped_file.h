// A file's content as read-only memory, without copying it. May know: base, fs.h.
#pragma once

#include <cstddef>
#include <span>

#include "base/error.h"
#include "sys/fs.h"

namespace forge {

class MappedFile {
 public:
  MappedFile() = default;
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  static Result<MappedFile> open(const Path& path);
  std::span<const std::byte> bytes() const { return {data_, bytes_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace forge
