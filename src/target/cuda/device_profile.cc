#include "target/cuda/device_profile.h"

#include <algorithm>
#include <array>

#include "problem/cuda_arch.h"

namespace forge {
namespace {

constexpr std::uint64_t kGiB = 1ull << 30;
constexpr std::uint64_t kMiB = 1ull << 20;

struct Known {
  std::string_view arch;
  std::string_view name;
  std::uint32_t multiprocessors;
  std::uint32_t threads;  // of a multiprocessor
  std::uint32_t blocks;   // of a multiprocessor
  std::uint32_t shared_kib;
  std::uint32_t cluster_blocks;
  std::uint64_t l2_bytes;
  std::uint64_t memory_bytes;
  std::uint32_t bus_bits;
};

// Limits by compute capability: CUDA C++ Programming Guide 13.0, 'Technical Specifications per
// Compute Capability'; blocks also in cuda_occupancy.h. Counts and memory: the vendor's data sheets
// of the devices named.
constexpr auto kKnown = std::to_array<Known>({
    {"sm_80", "NVIDIA A100-SXM4-80GB", 108, 2048, 32, 164, 0, 40 * kMiB, 80 * kGiB, 5120},
    {"sm_86", "NVIDIA RTX A6000", 84, 1536, 16, 100, 0, 6 * kMiB, 48 * kGiB, 384},
    {"sm_89", "NVIDIA L40S", 142, 1536, 24, 100, 0, 96 * kMiB, 48 * kGiB, 384},
    {"sm_90", "NVIDIA H200", 132, 2048, 32, 228, 16, 60 * kMiB, 141 * kGiB, 6144},
    {"sm_90a", "NVIDIA H200", 132, 2048, 32, 228, 16, 60 * kMiB, 141 * kGiB, 6144},
    {"sm_100", "NVIDIA B200", 148, 2048, 32, 228, 16, 126 * kMiB, 180 * kGiB, 8192},
    {"sm_100a", "NVIDIA B200", 148, 2048, 32, 228, 16, 126 * kMiB, 180 * kGiB, 8192},
    {"sm_120", "NVIDIA GeForce RTX 5090", 170, 1536, 24, 100, 8, 96 * kMiB, 32 * kGiB, 512},
    {"sm_120a", "NVIDIA GeForce RTX 5090", 170, 1536, 24, 100, 8, 96 * kMiB, 32 * kGiB, 512},
});

}  // namespace

std::optional<DeviceProfile> assumed_device(std::string_view arch) {
  const auto* known = std::find_if(kKnown.begin(), kKnown.end(),
                                   [&](const Known& each) { return each.arch == arch; });
  if (known == kKnown.end()) return std::nullopt;
  DeviceProfile profile;
  profile.name = known->name;
  profile.arch = arch;
  profile.major = cuda_arch_number(arch) / 10;
  profile.minor = cuda_arch_number(arch) % 10;
  profile.multiprocessors = known->multiprocessors;
  profile.max_threads_per_multiprocessor = known->threads;
  profile.max_blocks_per_multiprocessor = known->blocks;
  profile.shared_per_multiprocessor = known->shared_kib << 10;
  profile.shared_per_block_optin =
      profile.shared_per_multiprocessor - profile.reserved_shared_per_block;
  profile.max_cluster_blocks = known->cluster_blocks;
  profile.l2_bytes = known->l2_bytes;
  profile.memory_bytes = known->memory_bytes;
  profile.memory_bus_bits = known->bus_bits;
  return profile;
}

std::string arch_for(std::string_view asked, const DeviceProfile& device) {
  if (!asked.empty()) return std::string(asked);
  const std::string plain = "sm_" + std::to_string(device.sm());
  return assumed_device(plain + "a") ? plain + "a" : plain;
}

std::string known_archs() {
  std::string text;
  for (const Known& each : kKnown) text += (text.empty() ? "" : ", ") + std::string(each.arch);
  return text;
}

}  // namespace forge
