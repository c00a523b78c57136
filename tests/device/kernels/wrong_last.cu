// Leaves the last element unwritten.
#include "forge_args.h"

namespace {

__global__ void saxpy_short(const float* x, const float* z, float* y, float a, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i + 1 < n) y[i] = a * x[i] + z[i];
}

}  // namespace

int forge_launch(const Args* args, void* stream) {
  const std::int64_t n = args->dims.n;
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  saxpy_short<<<blocks, 256, 0, static_cast<cudaStream_t>(stream)>>>(args->x, args->z, args->y,
                                                                     args->a, n);
  return cudaGetLastError();
}
