// What a candidate may ask of the device, and errors.
#include <cstring>

#include "recorder.h"

using forge::recorder::Device;
using forge::recorder::Recorder;

namespace {

constexpr int kWarp = 32;
constexpr int kMaxPitch = 0x7fffffff;
constexpr int kConstantBytes = 65536;

struct Answer {
  cudaDeviceAttr attribute;
  std::int64_t value;
};

// -1 if the attribute is not among those that a kernel may depend on.
std::int64_t answer(cudaDeviceAttr attribute, const Device& d) {
  const bool hopper = d.major >= 9;
  const Answer answers[] = {
      {cudaDevAttrMaxThreadsPerBlock, d.max_threads_per_block},
      {cudaDevAttrMaxBlockDimX, 1024},
      {cudaDevAttrMaxBlockDimY, 1024},
      {cudaDevAttrMaxBlockDimZ, 64},
      {cudaDevAttrMaxGridDimX, 0x7fffffff},
      {cudaDevAttrMaxGridDimY, 65535},
      {cudaDevAttrMaxGridDimZ, 65535},
      {cudaDevAttrMaxSharedMemoryPerBlock, d.shared_per_block},
      {cudaDevAttrTotalConstantMemory, kConstantBytes},
      {cudaDevAttrWarpSize, kWarp},
      {cudaDevAttrMaxPitch, kMaxPitch},
      {cudaDevAttrMaxRegistersPerBlock, d.registers_per_block},
      {cudaDevAttrMultiProcessorCount, d.multiprocessors},
      {cudaDevAttrIntegrated, 0},
      {cudaDevAttrConcurrentKernels, 1},
      {cudaDevAttrGlobalMemoryBusWidth, d.memory_bus_bits},
      {cudaDevAttrL2CacheSize, static_cast<std::int64_t>(d.l2_bytes)},
      {cudaDevAttrMaxThreadsPerMultiProcessor, d.max_threads_per_multiprocessor},
      {cudaDevAttrUnifiedAddressing, 1},
      {cudaDevAttrComputeCapabilityMajor, d.major},
      {cudaDevAttrComputeCapabilityMinor, d.minor},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, d.shared_per_multiprocessor},
      {cudaDevAttrMaxRegistersPerMultiprocessor, d.registers_per_multiprocessor},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, d.shared_per_block_optin},
      {cudaDevAttrMaxBlocksPerMultiprocessor, d.max_blocks_per_multiprocessor},
      {cudaDevAttrReservedSharedMemoryPerBlock, d.reserved_shared_per_block},
      {cudaDevAttrClusterLaunch, hopper ? 1 : 0},
      // A kernel may pin nothing in the L2 cache.
      {cudaDevAttrMaxPersistingL2CacheSize, 0},
      {cudaDevAttrMaxAccessPolicyWindowSize, 0},
  };
  for (const Answer& each : answers) {
    if (each.attribute == attribute) return each.value;
  }
  return -1;
}

int int_answer(cudaDeviceAttr attribute, const Device& device) {
  return static_cast<int>(answer(attribute, device));
}

cudaDeviceProp properties(const Device& d) {
  cudaDeviceProp p{};
  std::memcpy(p.name, d.name, sizeof d.name);
  p.name[sizeof d.name] = '\0';
  p.totalGlobalMem = d.memory_bytes;
  p.sharedMemPerBlock = d.shared_per_block;
  p.regsPerBlock = int_answer(cudaDevAttrMaxRegistersPerBlock, d);
  p.warpSize = kWarp;
  p.memPitch = kMaxPitch;
  p.maxThreadsPerBlock = int_answer(cudaDevAttrMaxThreadsPerBlock, d);
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = int_answer(static_cast<cudaDeviceAttr>(cudaDevAttrMaxBlockDimX + i), d);
    p.maxGridSize[i] = int_answer(static_cast<cudaDeviceAttr>(cudaDevAttrMaxGridDimX + i), d);
  }
  p.totalConstMem = kConstantBytes;
  p.major = static_cast<int>(d.major);
  p.minor = static_cast<int>(d.minor);
  p.multiProcessorCount = int_answer(cudaDevAttrMultiProcessorCount, d);
  p.concurrentKernels = 1;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = int_answer(cudaDevAttrGlobalMemoryBusWidth, d);
  p.l2CacheSize = int_answer(cudaDevAttrL2CacheSize, d);
  p.maxThreadsPerMultiProcessor = int_answer(cudaDevAttrMaxThreadsPerMultiProcessor, d);
  p.sharedMemPerMultiprocessor = d.shared_per_multiprocessor;
  p.regsPerMultiprocessor = int_answer(cudaDevAttrMaxRegistersPerMultiprocessor, d);
  p.cooperativeLaunch = 1;
  p.sharedMemPerBlockOptin = d.shared_per_block_optin;
  p.maxBlocksPerMultiProcessor = int_answer(cudaDevAttrMaxBlocksPerMultiprocessor, d);
  p.reservedSharedMemPerBlock = d.reserved_shared_per_block;
#if CUDART_VERSION >= 12000
  p.clusterLaunch = int_answer(cudaDevAttrClusterLaunch, d);
#endif
  return p;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : Recorder::get().remember(cudaErrorInvalidDevice);
}

// CUDA 12 names it cudaGetDeviceProperties_v2 by a macro.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) {
  if (device != 0) return Recorder::get().remember(cudaErrorInvalidDevice);
  *prop = properties(Recorder::get().setup().device);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  Recorder& recorder = Recorder::get();
  if (device != 0) return recorder.remember(cudaErrorInvalidDevice);
  const std::int64_t known = answer(attribute, recorder.setup().device);
  if (known < 0) {
    return recorder.refuse(
        "cudaDeviceGetAttribute with attribute %d: a kernel may ask for limits of grids, blocks, "
        "registers, shared memory and caches only",
        static_cast<int>(attribute));
  }
  *value = static_cast<int>(known);
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return Recorder::get().last_error(true); }
cudaError_t cudaPeekAtLastError() { return Recorder::get().last_error(false); }

#define FORGE_ERROR_NAMES(X)                                                                 \
  X(cudaSuccess, "no error")                                                                 \
  X(cudaErrorInvalidValue, "invalid argument")                                               \
  X(cudaErrorInvalidConfiguration, "invalid configuration argument")                         \
  X(cudaErrorInvalidSymbol, "invalid device symbol")                                         \
  X(cudaErrorMissingConfiguration, "a launch without its configuration")                     \
  X(cudaErrorInvalidDeviceFunction, "invalid device function")                               \
  X(cudaErrorInvalidDevice, "invalid device ordinal")                                        \
  X(cudaErrorLaunchOutOfResources, "too many resources requested for launch")                \
  X(cudaErrorInvalidClusterSize, "cluster size beyond 8 without the non-portable attribute") \
  X(cudaErrorNotSupported, "not supported while a launch plan is recorded")

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define FORGE_NAME(name, text) \
  case name:                   \
    return #name;
    FORGE_ERROR_NAMES(FORGE_NAME)
#undef FORGE_NAME
    default:
      return "an error that the recording runtime never returns";
  }
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define FORGE_TEXT(name, text) \
  case name:                   \
    return text;
    FORGE_ERROR_NAMES(FORGE_TEXT)
#undef FORGE_TEXT
    default:
      return "an error that the recording runtime never returns";
  }
}
}
