#include "scale.h"

struct __attribute__((packed)) Packed {
  char flag;
  const float* in;
  float* out;
};

__global__ void by_value(Packed p, float a, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float* in = p.in;
  float* out = p.out;
  if (i < n) out[i] = a * in[i];
}

// Pointers that are not aligned can't be told from other bytes.
int forge_launch(const Args* args, void* stream) {
  Packed p;
  p.flag = 1;
  p.in = args->x;
  p.out = args->y;
  by_value<<<test::blocks_for(args->dims.n, 256), 256, 0, test::stream_of(stream)>>>(p, args->a,
                                                                                     args->dims.n);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
