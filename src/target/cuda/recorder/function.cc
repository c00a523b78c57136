// What a candidate may ask of kernels and change about them; occupancy by the toolkit's own header.
#include <cuda_occupancy.h>

#include "recorder.h"

using forge::recorder::blocks_per_multiprocessor;
using forge::recorder::default_dynamic_limit;
using forge::recorder::Device;
using forge::recorder::find_kernel;
using forge::recorder::Kernel;
using forge::recorder::KernelSettings;
using forge::recorder::kUnknown;
using forge::recorder::Recorder;

namespace forge::recorder {
namespace {

cudaOccDeviceProp occupancy_device() {
  const Device& device = Recorder::get().setup().device;
  cudaOccDeviceProp prop;
  prop.computeMajor = static_cast<int>(device.major);
  prop.computeMinor = static_cast<int>(device.minor);
  prop.maxThreadsPerBlock = static_cast<int>(device.max_threads_per_block);
  prop.maxThreadsPerMultiprocessor = static_cast<int>(device.max_threads_per_multiprocessor);
  prop.regsPerBlock = static_cast<int>(device.registers_per_block);
  prop.regsPerMultiprocessor = static_cast<int>(device.registers_per_multiprocessor);
  prop.warpSize = 32;
  prop.sharedMemPerBlock = device.shared_per_block;
  prop.sharedMemPerMultiprocessor = device.shared_per_multiprocessor;
  prop.numSms = static_cast<int>(device.multiprocessors);
  prop.sharedMemPerBlockOptin = device.shared_per_block_optin;
  prop.reservedSharedMemPerBlock = device.reserved_shared_per_block;
  return prop;
}

int max_threads(const Kernel& kernel) {
  const std::uint32_t most = Recorder::get().setup().device.max_threads_per_block;
  return static_cast<int>(kernel.max_threads != 0 ? kernel.max_threads : most);
}

}  // namespace

// -1 if the header has no answer.
int blocks_per_multiprocessor(std::uint32_t index, int threads, std::size_t dynamic_shared) {
  const Kernel& kernel = Recorder::get().kernel(index);
  const cudaOccDeviceProp device = occupancy_device();
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = max_threads(kernel);
  attributes.numRegs = static_cast<int>(kernel.registers);
  attributes.sharedSizeBytes = kernel.static_shared;
  attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = dynamic_shared;
  attributes.numBlockBarriers = 1;
  cudaOccDeviceState state;
  state.carveoutConfig = Recorder::get().settings[index].carveout;
  cudaOccResult result;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &attributes, &state, threads,
                                              dynamic_shared) != CUDA_OCC_SUCCESS) {
    return -1;
  }
  return result.activeBlocksPerMultiprocessor;
}

}  // namespace forge::recorder

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  Recorder& recorder = Recorder::get();
  const std::uint32_t index = find_kernel(function);
  if (index == kUnknown) return recorder.remember(cudaErrorInvalidDeviceFunction);
  const Kernel& kernel = recorder.kernel(index);
  const KernelSettings& settings = recorder.settings[index];
  const Device& device = recorder.setup().device;
  *attributes = {};
  attributes->sharedSizeBytes = kernel.static_shared;
  attributes->localSizeBytes = kernel.stack_bytes;
  attributes->maxThreadsPerBlock = forge::recorder::max_threads(kernel);
  attributes->numRegs = static_cast<int>(kernel.registers);
  attributes->ptxVersion = static_cast<int>(device.major * 10 + device.minor);
  attributes->binaryVersion = attributes->ptxVersion;
  attributes->maxDynamicSharedSizeBytes = settings.max_dynamic_shared >= 0
                                              ? settings.max_dynamic_shared
                                              : default_dynamic_limit(kernel);
  attributes->preferredShmemCarveout = settings.carveout;
  attributes->requiredClusterWidth = static_cast<int>(kernel.cluster[0]);
  attributes->requiredClusterHeight = static_cast<int>(kernel.cluster[1]);
  attributes->requiredClusterDepth = static_cast<int>(kernel.cluster[2]);
  attributes->clusterSchedulingPolicyPreference = settings.cluster_policy;
  attributes->nonPortableClusterSizeAllowed = settings.non_portable_cluster ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  Recorder& recorder = Recorder::get();
  const std::uint32_t index = find_kernel(function);
  if (index == kUnknown) return recorder.remember(cudaErrorInvalidDeviceFunction);
  KernelSettings& settings = recorder.settings[index];
  const std::int64_t most = std::int64_t{recorder.setup().device.shared_per_block_optin} -
                            recorder.kernel(index).static_shared;
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || value > most) return recorder.remember(cudaErrorInvalidValue);
      settings.max_dynamic_shared = value;
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return recorder.remember(cudaErrorInvalidValue);
      settings.carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      settings.non_portable_cluster = value != 0;
      return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      if (value < 0 || value > 2) return recorder.remember(cudaErrorInvalidValue);
      settings.cluster_policy = value;
      return cudaSuccess;
    default:
      return recorder.refuse(
          "cudaFuncSetAttribute with attribute %d: it may set dynamic shared memory, carve-out, "
          "non-portable cluster size and cluster policy; compile other needs into the kernel",
          static_cast<int>(attribute));
  }
}

// A hint that devices since Volta ignore.
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return find_kernel(function) == kUnknown
             ? Recorder::get().remember(cudaErrorInvalidDeviceFunction)
             : cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, std::size_t shared,
                                                                   unsigned) {
  Recorder& recorder = Recorder::get();
  const std::uint32_t index = find_kernel(function);
  if (index == kUnknown) return recorder.remember(cudaErrorInvalidDeviceFunction);
  *blocks = blocks_per_multiprocessor(index, threads, shared);
  return *blocks < 0 ? recorder.remember(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared,
                                                                0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function,
                                                      int blocks, int threads) {
  Recorder& recorder = Recorder::get();
  const std::uint32_t index = find_kernel(function);
  if (index == kUnknown) return recorder.remember(cudaErrorInvalidDeviceFunction);
  // The largest that still lets so many blocks fit; occupancy falls as shared memory grows.
  std::size_t low = 0;
  std::size_t high = recorder.setup().device.shared_per_block_optin;
  if (blocks_per_multiprocessor(index, threads, 0) < blocks) {
    return recorder.remember(cudaErrorInvalidValue);
  }
  while (low < high) {
    const std::size_t middle = low + (high - low + 1) / 2;
    if (blocks_per_multiprocessor(index, threads, middle) >= blocks) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  *bytes = low;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                 const cudaLaunchConfig_t*) {
  Recorder& recorder = Recorder::get();
  const std::uint32_t index = find_kernel(function);
  if (index == kUnknown) return recorder.remember(cudaErrorInvalidDeviceFunction);
  const std::uint32_t most = recorder.setup().device.max_cluster_blocks;
  if (most == 0) return recorder.remember(cudaErrorNotSupported);
  *blocks = recorder.settings[index].non_portable_cluster ? static_cast<int>(most) : 8;
  return cudaSuccess;
}

// An upper bound: how many multiprocessors a device has in each group that a cluster must stay in
// is known to its driver alone.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  Recorder& recorder = Recorder::get();
  const std::uint32_t index = find_kernel(function);
  if (index == kUnknown) return recorder.remember(cudaErrorInvalidDeviceFunction);
  const std::uint32_t* compiled = recorder.kernel(index).cluster;
  unsigned long long size = 1ull * compiled[0] * compiled[1] * compiled[2];
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    if (config->attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
    const auto& given = config->attrs[i].val.clusterDim;
    size = 1ull * given.x * given.y * given.z;
  }
  if (size == 0) return recorder.remember(cudaErrorInvalidClusterSize);
  const dim3 block = config->blockDim;
  const int blocks = blocks_per_multiprocessor(index, static_cast<int>(block.x * block.y * block.z),
                                               config->dynamicSmemBytes);
  if (blocks < 0) return recorder.remember(cudaErrorInvalidValue);
  *clusters = static_cast<int>(1ull * recorder.setup().device.multiprocessors *
                               static_cast<unsigned>(blocks) / size);
  return cudaSuccess;
}
}
