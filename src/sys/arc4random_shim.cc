// arc4random for hosts with a glibc older than 2.36, which brought it: static libstdc++ (for
// std::random_device) and static libsodium call it where the build machine has it. The linker is
// told to take these definitions (see CMakeLists.txt). <stdlib.h> is left out on purpose: whether
// it declares these functions, and how, depends on the glibc.
#include <sys/random.h>
#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "base/error.h"

extern "C" {

void arc4random_buf(void* buffer, std::size_t bytes) noexcept {
  auto* at = static_cast<unsigned char*>(buffer);
  while (bytes > 0) {
    const ssize_t count = ::getrandom(at, bytes, 0);
    FORGE_CHECK(count >= 0 || errno == EINTR);
    if (count < 0) continue;
    at += count;
    bytes -= static_cast<std::size_t>(count);
  }
}

std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  arc4random_buf(&value, sizeof value);
  return value;
}

std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
  if (bound < 2) return 0;
  const std::uint32_t threshold = (0 - bound) % bound;  // 2^32 mod bound: no modulo bias
  std::uint32_t value = arc4random();
  while (value < threshold) value = arc4random();
  return value % bound;
}

}  // extern "C"
