#include <algorithm>
#include <array>

#include "target/cuda/gpu.h"

namespace forge {
namespace {

// Numbers of CUresult, cuda.h of CUDA 13.0.
constexpr auto kByKernels = std::to_array<int>({
    700,  // CUDA_ERROR_ILLEGAL_ADDRESS
    702,  // CUDA_ERROR_LAUNCH_TIMEOUT
    710,  // CUDA_ERROR_ASSERT
    714,  // CUDA_ERROR_HARDWARE_STACK_ERROR
    715,  // CUDA_ERROR_ILLEGAL_INSTRUCTION
    716,  // CUDA_ERROR_MISALIGNED_ADDRESS
    717,  // CUDA_ERROR_INVALID_ADDRESS_SPACE
    718,  // CUDA_ERROR_INVALID_PC
    719,  // CUDA_ERROR_LAUNCH_FAILED
    721,  // CUDA_ERROR_TENSOR_MEMORY_LEAK
});

constexpr auto kByLaunches = std::to_array<int>({
    1,    // CUDA_ERROR_INVALID_VALUE
    200,  // CUDA_ERROR_INVALID_IMAGE
    209,  // CUDA_ERROR_NO_BINARY_FOR_GPU
    500,  // CUDA_ERROR_NOT_FOUND
    701,  // CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
    703,  // CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING
    720,  // CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
    801,  // CUDA_ERROR_NOT_SUPPORTED
    811,  // CUDA_ERROR_CDP_NOT_SUPPORTED
    912,  // CUDA_ERROR_INVALID_CLUSTER_SIZE
});

template <std::size_t kCount>
bool contains(const std::array<int, kCount>& codes, int code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace

GpuBlame blame_of(int code) {
  if (contains(kByKernels, code)) return GpuBlame::kKernel;
  if (contains(kByLaunches, code)) return GpuBlame::kLaunch;
  // Uncorrectable memory errors (214, 226), links (220), lost devices, no memory, …
  return GpuBlame::kInfrastructure;
}

}  // namespace forge
