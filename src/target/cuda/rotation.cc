#include "target/cuda/rotation.h"

#include <algorithm>

namespace forge {
namespace {

// "More than three times" with room for a cache whose size is told a little short.
constexpr std::uint64_t kTimesL2 = 13;
constexpr std::uint64_t kTimesL2Unit = 4;
constexpr std::uint64_t kLeastBytes = 32ull << 20;
constexpr std::uint32_t kThreads = 256;
constexpr std::uint32_t kBlocksPerMultiprocessor = 8;
constexpr std::uint64_t kWordRoom = 256;
// More than a Python process needs to enqueue a replay between two events.
constexpr std::uint64_t kLingerNs = 150'000;

template <typename T>
void append(std::string& parameters, T value) {
  parameters.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

Status Rotation::open(const std::string& ptx) {
  FORGE_TRY(const GpuModule module, gpu_.load(ptx));
  FORGE_TRY(fill_, gpu_.function(module, "forge_fill"));
  FORGE_TRY(rotate_, gpu_.function(module, "forge_rotate"));
  FORGE_TRY(wait_, gpu_.function(module, "forge_wait"));
  const std::uint64_t wanted = gpu_.facts().profile.l2_bytes * kTimesL2 / kTimesL2Unit;
  quads_ = std::max(wanted, kLeastBytes) / kQuadBytes;
  FORGE_TRY(memory_, gpu_.allocate(bytes()));
  FORGE_TRY(changed_, gpu_.allocate(kWordRoom));
  return {};
}

std::uint32_t Rotation::all_blocks() const {
  return gpu_.facts().profile.multiprocessors * kBlocksPerMultiprocessor;
}

Status Rotation::launch(GpuFunction function, std::uint32_t blocks, const std::string& parameters) {
  GpuLaunch launch;
  launch.function = function;
  launch.grid = {blocks, 1, 1};
  launch.block = {kThreads, 1, 1};
  launch.parameters = parameters;
  return gpu_.launch(launch);
}

Status Rotation::renew(std::uint32_t key) {
  key_ = key;
  FORGE_TRY_STATUS(gpu_.fill(changed_, 0, kWordRoom));
  std::string parameters;
  append(parameters, memory_);
  append(parameters, quads_);
  append(parameters, key_);
  return launch(fill_, all_blocks(), parameters);
}

Status Rotation::rotate() {
  std::string parameters;
  append(parameters, memory_);
  append(parameters, quads_);
  append(parameters, std::uint64_t{key_});  // with the padding before the next parameter
  append(parameters, changed_);
  return launch(rotate_, all_blocks(), parameters);
}

Status Rotation::linger() {
  std::string parameters;
  append(parameters, kLingerNs);
  return launch(wait_, 1, parameters);
}

Result<bool> Rotation::is_whole() {
  std::uint32_t changed = 0;
  FORGE_TRY_STATUS(gpu_.read(&changed, changed_, sizeof changed));
  return changed == 0;
}

}  // namespace forge
