#include <cooperative_groups.h>

#include "scale.h"

__global__ void two_phases(const float* in, float* out, float a, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * in[i];
  cooperative_groups::this_grid().sync();
}

int forge_launch(const Args* args, void* stream) {
  std::int64_t n = args->dims.n;
  const float* in = args->x;
  float* out = args->y;
  float a = args->a;
  void* parameters[] = {&in, &out, &a, &n};
  cudaLaunchCooperativeKernel(two_phases, dim3(20000), dim3(256), parameters, 0,
                              test::stream_of(stream));
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
