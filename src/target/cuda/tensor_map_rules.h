// Which arguments of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col are legal, as cuda.h of
// CUDA 13.0 documents them. Plain C++ without our libraries: the recording runtime answers the
// candidate by it, and the validator checks what the recording claims. Pure.
#pragma once

#include <cstdint>

namespace forge::tensor_map {

// Numbers of CUtensorMapDataType, -Interleave and -Swizzle that the rules name.
inline constexpr std::uint32_t kDataTypes = 16;
inline constexpr std::uint32_t kU4Align8 = 13;
inline constexpr std::uint32_t kU4Align16 = 14;
inline constexpr std::uint32_t kU6Align16 = 15;
inline constexpr std::uint32_t kInterleaveNone = 0;
inline constexpr std::uint32_t kInterleave32 = 2;
inline constexpr std::uint32_t kSwizzleNone = 0;
inline constexpr std::uint32_t kSwizzle32 = 1;
inline constexpr std::uint32_t kSwizzle64 = 2;

inline constexpr int kMaxRank = 5;

struct Arguments {
  bool im2col = false;
  std::uint32_t data_type = 0;
  std::uint32_t rank = 0;
  std::uint64_t address = 0;  // its low bits, for alignment
  const std::uint64_t* sizes = nullptr;
  const std::uint64_t* strides = nullptr;
  const std::uint32_t* box = nullptr;  // im2col: channels per pixel, pixels per column
  const std::int32_t* lower = nullptr;
  const std::int32_t* upper = nullptr;
  const std::uint32_t* element_strides = nullptr;
  std::uint32_t interleave = 0;
  std::uint32_t swizzle = 0;
  std::uint32_t l2_promotion = 0;
  std::uint32_t fill = 0;
};

// Twice the bytes of an element, since packed types have half-byte elements; 6-bit ones count as 4
// (their inner extents are multiples of 128, which the rules bound apart).
constexpr std::uint32_t half_bytes(std::uint32_t data_type) {
  constexpr std::uint8_t kHalfBytes[kDataTypes] = {2,  4, 8, 8, 16, 16, 4, 8,
                                                   16, 4, 8, 8, 8,  1,  1, 1};
  return data_type < kDataTypes ? kHalfBytes[data_type] : 0;
}
constexpr bool is_packed(std::uint32_t data_type) { return data_type >= kU4Align8; }
constexpr bool is_wide_packed(std::uint32_t data_type) {
  return data_type == kU4Align16 || data_type == kU6Align16;
}
constexpr bool is_floating(std::uint32_t data_type) { return data_type >= 6 && data_type <= 12; }

constexpr const char* enumerations_fault(const Arguments& a) {
  if (a.data_type >= kDataTypes) return "its data type is unknown";
  if (a.rank < (a.im2col || a.interleave != kInterleaveNone ? 3u : 1u) || a.rank > kMaxRank) {
    return "its rank is out of range";
  }
  if (a.interleave > kInterleave32 || a.swizzle > 6 || a.l2_promotion > 3 || a.fill > 1) {
    return "its interleave, swizzle, L2 promotion or fill is unknown";
  }
  if (a.interleave == kInterleave32 && a.swizzle != kSwizzle32) {
    return "interleave 32B needs swizzle 32B";
  }
  if (a.fill == 1 && !is_floating(a.data_type)) return "only floating-point data can fill with NaN";
  if (a.data_type == kU6Align16 && a.interleave != kInterleaveNone) {
    return "packed 6-bit data can't be interleaved";
  }
  return nullptr;
}

constexpr const char* memory_fault(const Arguments& a) {
  const bool wide = a.interleave == kInterleave32 || is_wide_packed(a.data_type);
  const std::uint64_t unit = wide ? 32 : 16;
  if (a.address % unit != 0) {
    return wide ? "its address is not aligned to 32 bytes"
                : "its address is not aligned to 16 bytes";
  }
  for (std::uint32_t i = 0; i < a.rank; ++i) {
    if (a.sizes[i] == 0 || a.sizes[i] > (std::uint64_t{1} << 32)) return "a size is 0 or too large";
    if (i + 1 == a.rank) break;
    if (a.strides[i] % unit != 0) {
      return wide ? "a stride is no multiple of 32 bytes" : "a stride is no multiple of 16 bytes";
    }
    if (a.strides[i] >= (std::uint64_t{1} << 40)) return "a stride is 2^40 bytes or more";
  }
  if (is_wide_packed(a.data_type) && a.sizes[0] % 128 != 0) {
    return "the innermost size of this packed type must be a multiple of 128";
  }
  if (a.data_type == kU4Align8 && a.sizes[0] % 2 != 0) {
    return "the innermost size of this packed type must be even";
  }
  return nullptr;
}

constexpr const char* inner_box_fault(const Arguments& a, std::uint64_t inner) {
  const std::uint64_t bytes = inner * half_bytes(a.data_type) / 2;
  if (is_wide_packed(a.data_type)) {
    return inner == 128 ? nullptr : "the innermost box of this packed type must be 128";
  }
  if (a.interleave != kInterleaveNone) return nullptr;
  if (bytes % 16 != 0) return "the innermost box is no multiple of 16 bytes";
  const std::uint64_t span = a.swizzle == kSwizzle32 ? 32 : a.swizzle == kSwizzle64 ? 64 : 128;
  if (a.swizzle != kSwizzleNone && bytes > span)
    return "the innermost box is wider than the swizzle";
  return nullptr;
}

constexpr const char* tile_fault(const Arguments& a) {
  for (std::uint32_t i = 0; i < a.rank; ++i) {
    if (a.box[i] == 0 || a.box[i] > 256) return "a box extent is 0 or above 256";
  }
  return inner_box_fault(a, a.box[0]);
}

constexpr const char* im2col_fault(const Arguments& a) {
  const std::int32_t reach = a.rank == 3 ? 32768 : a.rank == 4 ? 128 : 16;
  for (std::uint32_t i = 0; i + 2 < a.rank; ++i) {
    for (const std::int32_t corner : {a.lower[i], a.upper[i]}) {
      if (corner < -reach || corner >= reach) return "a corner of the pixel box is out of range";
    }
  }
  if (a.box[0] > 256) return "it has more than 256 channels a pixel";
  if (a.box[1] > 1024) return "it has more than 1024 pixels a column";
  return inner_box_fault(a, a.box[0]);
}

// nullptr if legal, else what is wrong. Requires arrays as long as the rank says once the
// enumerations are legal.
constexpr const char* fault(const Arguments& a) {
  if (const char* wrong = enumerations_fault(a)) return wrong;
  if (const char* wrong = memory_fault(a)) return wrong;
  // With no interleave the innermost element stride is ignored.
  for (std::uint32_t i = a.interleave == kInterleaveNone ? 1 : 0; i < a.rank; ++i) {
    if (a.element_strides[i] == 0 || a.element_strides[i] > 8) {
      return "an element stride is 0 or above 8";
    }
  }
  return a.im2col ? im2col_fault(a) : tile_fault(a);
}

// Bytes from the address to the end of the last element; saturates.
constexpr std::uint64_t reach_bytes(const Arguments& a) {
  unsigned __int128 reach =
      (static_cast<unsigned __int128>(a.sizes[0]) * half_bytes(a.data_type) + 1) / 2;
  // Wide packed types leave gaps: 16 bytes of memory for 16 elements.
  if (is_wide_packed(a.data_type)) reach = a.sizes[0];
  for (std::uint32_t i = 1; i < a.rank; ++i) {
    reach += static_cast<unsigned __int128>(a.sizes[i] - 1) * a.strides[i - 1];
  }
  return reach > UINT64_MAX ? UINT64_MAX : static_cast<std::uint64_t>(reach);
}

}  // namespace forge::tensor_map
