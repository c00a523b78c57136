#include "scale.h"

template <int Threads>
__global__ void copy(const float* in, float* out, float a, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * Threads + threadIdx.x;
  if (i < n) out[i] = a * in[i];
}

int forge_launch(const Args* args, void* stream) {
  copy<128><<<test::blocks_for(args->dims.n, 128), 128>>>(args->x, args->y, args->a, args->dims.n);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
