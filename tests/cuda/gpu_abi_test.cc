// What we call the driver with, against the driver's own header.
#include "target/cuda/gpu_abi.h"

#include <cuda.h>
#include <gtest/gtest.h>

#include <cstddef>

namespace forge {
namespace {

TEST(GpuAbi, LaunchesAreLaidOutAsInTheHeader) {
  EXPECT_EQ(sizeof(cuda::LaunchConfig), sizeof(CUlaunchConfig));
  EXPECT_EQ(offsetof(cuda::LaunchConfig, grid), offsetof(CUlaunchConfig, gridDimX));
  EXPECT_EQ(offsetof(cuda::LaunchConfig, block), offsetof(CUlaunchConfig, blockDimX));
  EXPECT_EQ(offsetof(cuda::LaunchConfig, shared_bytes), offsetof(CUlaunchConfig, sharedMemBytes));
  EXPECT_EQ(offsetof(cuda::LaunchConfig, stream), offsetof(CUlaunchConfig, hStream));
  EXPECT_EQ(offsetof(cuda::LaunchConfig, attributes), offsetof(CUlaunchConfig, attrs));
  EXPECT_EQ(offsetof(cuda::LaunchConfig, attribute_count), offsetof(CUlaunchConfig, numAttrs));
  EXPECT_EQ(sizeof(cuda::LaunchAttribute), sizeof(CUlaunchAttribute));
  EXPECT_EQ(offsetof(cuda::LaunchAttribute, value), offsetof(CUlaunchAttribute, value));
}

TEST(GpuAbi, NumbersAreTheHeaders) {
  EXPECT_EQ(cuda::kCooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  EXPECT_EQ(cuda::kClusterDimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  EXPECT_EQ(cuda::kClusterPolicy, CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
  EXPECT_EQ(cuda::kProgrammaticSerialization,
            CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
  EXPECT_EQ(cuda::kSharedCarveout, CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
  EXPECT_EQ(cuda::kMaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  EXPECT_EQ(cuda::kMaxSharedPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  EXPECT_EQ(cuda::kMaxRegistersPerBlock, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  EXPECT_EQ(cuda::kMultiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  EXPECT_EQ(cuda::kMemoryClockKhz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  EXPECT_EQ(cuda::kMemoryBusBits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  EXPECT_EQ(cuda::kL2Bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  EXPECT_EQ(cuda::kMaxThreadsPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  EXPECT_EQ(cuda::kMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  EXPECT_EQ(cuda::kMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  EXPECT_EQ(cuda::kMaxSharedPerMultiprocessor,
            CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  EXPECT_EQ(cuda::kMaxRegistersPerMultiprocessor,
            CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  EXPECT_EQ(cuda::kMaxSharedPerBlockOptin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  EXPECT_EQ(cuda::kMaxBlocksPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  EXPECT_EQ(cuda::kReservedSharedPerBlock, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  EXPECT_EQ(cuda::kClusterLaunch, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
  EXPECT_EQ(cuda::kFunctionMaxDynamicShared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  EXPECT_EQ(cuda::kFunctionNonPortableCluster, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
  EXPECT_EQ(cuda::kLimitPersistingL2, CU_LIMIT_PERSISTING_L2_CACHE_SIZE);
  EXPECT_EQ(cuda::kSuccess, CUDA_SUCCESS);
  EXPECT_EQ(cuda::kNotReady, CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cuda::kStreamNonBlocking, CU_STREAM_NON_BLOCKING);
  EXPECT_EQ(cuda::kCaptureThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  EXPECT_EQ(cuda::kLaunchBufferPointer, CU_LAUNCH_PARAM_BUFFER_POINTER);
  EXPECT_EQ(cuda::kLaunchBufferSize, CU_LAUNCH_PARAM_BUFFER_SIZE);
  EXPECT_EQ(cuda::kLaunchEnd, CU_LAUNCH_PARAM_END);
}

}  // namespace
}  // namespace forge
