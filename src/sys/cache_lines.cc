#include "sys/cache_lines.h"

#include <cpuid.h>
#include <immintrin.h>

#include <cstdint>

namespace forge {
namespace {

constexpr std::uintptr_t kLine = 64;

// CPUID leaf 7, EBX bit 23.
bool has_clflushopt() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & (1u << 23)) != 0;
}

__attribute__((target("clflushopt"))) void flush_unordered(std::uintptr_t begin,
                                                           std::uintptr_t end) {
  for (std::uintptr_t line = begin; line < end; line += kLine) {
    _mm_clflushopt(reinterpret_cast<void*>(line));
  }
}

}  // namespace

void flush_cache_lines(const std::byte* begin, std::size_t bytes) {
  static const bool kUnordered = has_clflushopt();
  const auto first = reinterpret_cast<std::uintptr_t>(begin) & ~(kLine - 1);
  const auto end = reinterpret_cast<std::uintptr_t>(begin) + bytes;
  if (kUnordered) {
    flush_unordered(first, end);
  } else {
    for (std::uintptr_t line = first; line < end; line += kLine) {
      _mm_clflush(reinterpret_cast<void*>(line));
    }
  }
  _mm_mfence();
}

}  // namespace forge
