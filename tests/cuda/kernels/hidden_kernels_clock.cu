#include <ctime>

#include "scale.h"

template <typename F>
__global__ void for_each(std::int64_t n, F f) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

// A lambda that captures the time.
int forge_launch(const Args* args, void* stream) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t ns = now.tv_sec * 1000000000 + now.tv_nsec;
  const float* x = args->x;
  float* y = args->y;
  for_each<<<test::blocks_for(args->dims.n, 256), 256, 0, test::stream_of(stream)>>>(
      args->dims.n, [=] __device__(std::int64_t i) { y[i] = x[i] + static_cast<float>(ns); });
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
