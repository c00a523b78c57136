#include "forge_args.h"

FORGE_TUNABLE(int, kThreads, 128, 64, 128, 256, 512);
FORGE_TUNABLE(int, kPerThread, 1, 1, 2, 4);

namespace {

__global__ void __launch_bounds__(kThreads)
    saxpy(const float* x, const float* z, float* y, float a, std::int64_t n) {
  const std::int64_t first = (std::int64_t{blockIdx.x} * kThreads * kPerThread) + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const std::int64_t i = first + k * kThreads;
    if (i < n) y[i] = a * x[i] + z[i];
  }
}

}  // namespace

int forge_launch(const Args* args, void* stream) {
  const std::int64_t n = args->dims.n;
  constexpr std::int64_t kPerBlock = kThreads * kPerThread;
  const auto blocks = static_cast<unsigned>((n + kPerBlock - 1) / kPerBlock);
  saxpy<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(args->x, args->z, args->y,
                                                                    args->a, n);
  return cudaGetLastError();
}
