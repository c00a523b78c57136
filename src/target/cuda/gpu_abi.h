// What the driver API's calls take, as cuda.h of CUDA 13.0 defines it: our programs are built where
// no CUDA is. A test compares it with cuda.h where that is there. May know: nothing.
#pragma once

#include <cstdint>

namespace forge::cuda {

using Result = int;
using Device = int;
using Pointer = std::uint64_t;
using Handle = struct Opaque*;  // contexts, modules, functions, streams, graphs, events

struct LaunchAttribute {
  std::uint32_t id;
  char padding[4];
  union Value {
    char bytes[64];
    std::int32_t number;
    std::uint32_t extent[3];
  } value;
};

struct LaunchConfig {
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t shared_bytes;
  Handle stream;
  LaunchAttribute* attributes;
  std::uint32_t attribute_count;
};

inline constexpr std::uint32_t kCooperative = 2;
inline constexpr std::uint32_t kClusterDimension = 4;
inline constexpr std::uint32_t kClusterPolicy = 5;
inline constexpr std::uint32_t kProgrammaticSerialization = 6;
inline constexpr std::uint32_t kSharedCarveout = 14;

inline constexpr int kMaxThreadsPerBlock = 1;
inline constexpr int kMaxSharedPerBlock = 8;
inline constexpr int kMaxRegistersPerBlock = 12;
inline constexpr int kMultiprocessors = 16;
inline constexpr int kMemoryClockKhz = 36;
inline constexpr int kMemoryBusBits = 37;
inline constexpr int kL2Bytes = 38;
inline constexpr int kMaxThreadsPerMultiprocessor = 39;
inline constexpr int kMajor = 75;
inline constexpr int kMinor = 76;
inline constexpr int kMaxSharedPerMultiprocessor = 81;
inline constexpr int kMaxRegistersPerMultiprocessor = 82;
inline constexpr int kMaxSharedPerBlockOptin = 97;
inline constexpr int kMaxBlocksPerMultiprocessor = 106;
inline constexpr int kReservedSharedPerBlock = 111;
inline constexpr int kClusterLaunch = 120;

inline constexpr int kFunctionMaxDynamicShared = 8;
inline constexpr int kFunctionNonPortableCluster = 14;

inline constexpr int kLimitPersistingL2 = 6;
inline constexpr Result kSuccess = 0;
inline constexpr Result kNotReady = 600;
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr int kCaptureThreadLocal = 1;
// The `extra` argument of a launch: parameters as one block.
inline void* const kLaunchBufferPointer = reinterpret_cast<void*>(1);
inline void* const kLaunchBufferSize = reinterpret_cast<void*>(2);
inline void* const kLaunchEnd = nullptr;

}  // namespace forge::cuda
