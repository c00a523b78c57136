// The limits of a GPU that plans are checked against and kernels may ask for. Pure. May know: base,
// problem.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace forge {

enum class DeviceOrigin { kAssumed, kPresent };

struct DeviceProfile {
  std::string name;  // "NVIDIA H200"
  std::string arch;  // what is compiled for: "sm_90a"
  DeviceOrigin origin = DeviceOrigin::kAssumed;
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t multiprocessors = 0;
  std::uint32_t max_threads_per_block = 1024;
  std::uint32_t max_threads_per_multiprocessor = 0;
  std::uint32_t max_blocks_per_multiprocessor = 0;
  std::uint32_t registers_per_block = 65536;
  std::uint32_t registers_per_multiprocessor = 65536;
  std::uint32_t shared_per_block = 48u << 10;
  std::uint32_t shared_per_block_optin = 0;
  std::uint32_t shared_per_multiprocessor = 0;
  std::uint32_t reserved_shared_per_block = 1024;
  std::uint32_t max_cluster_blocks = 0;  // non-portable; 0: no clusters
  std::uint64_t l2_bytes = 0;
  std::uint64_t memory_bytes = 0;
  std::uint32_t memory_bus_bits = 0;

  std::uint32_t sm() const { return major * 10 + minor; }
};

inline constexpr std::uint32_t kPortableClusterBlocks = 8;
inline constexpr std::string_view kDefaultArch = "sm_90a";

// A real device of that architecture ("sm_90a"), for planning where there is none; nullopt if no
// profile is known. Multiprocessor counts and memory are that device's: another of the same
// architecture may differ, so plans are made anew where the device is.
std::optional<DeviceProfile> assumed_device(std::string_view arch);
// What to compile for on a device that is there: what the problem asks for, else the device's own,
// with the features that no other architecture has ("sm_90a") where such a target is known.
std::string arch_for(std::string_view asked, const DeviceProfile& device);
std::string known_archs();  // "sm_80, sm_86, …"

}  // namespace forge
