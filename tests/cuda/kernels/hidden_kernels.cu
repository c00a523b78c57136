#include "scale.h"

namespace {

__constant__ float one = 1;

__global__ void anonymous(const float* in, float* out, float a, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = one * a * in[i];
}

}  // namespace

static __global__ void internal(float* out, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] += 0.0f;
}

template <typename F>
__global__ void for_each(std::int64_t n, F f) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

int forge_launch(const Args* args, void* stream) {
  const std::int64_t n = args->dims.n;
  const unsigned blocks = test::blocks_for(n, 256);
  anonymous<<<blocks, 256, 0, test::stream_of(stream)>>>(args->x, args->y, args->a, n);
  internal<<<blocks, 256, 0, test::stream_of(stream)>>>(args->y, n);
  float* y = args->y;
  for_each<<<blocks, 256, 0, test::stream_of(stream)>>>(
      n, [=] __device__(std::int64_t i) { y[i] *= 1.0f; });
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
