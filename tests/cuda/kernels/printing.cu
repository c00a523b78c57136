#include <cassert>
#include <cstdio>

#include "scale.h"

__global__ void careful(const float* in, float* out, float a, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  assert(n > 0);
  if (i == n) printf("the first that is left out: %lld\n", static_cast<long long>(i));
  if (i < n) out[i] = a * in[i];
}

int forge_launch(const Args* args, void* stream) {
  careful<<<test::blocks_for(args->dims.n, 256), 256, 0, test::stream_of(stream)>>>(
      args->x, args->y, args->a, args->dims.n);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
