#include "scale.h"

// By value, with padding that nobody writes and pointers in the middle.
struct Large {
  char flag;
  double scale;
  float table[4096];
  char other;
  const float* in;
  float* out[2];
  short last;
};

__global__ void by_value(Large p, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) p.out[i & 1][i] = static_cast<float>(p.scale) * p.in[i] * p.table[i & 4095];
}

int forge_launch(const Args* args, void* stream) {
  Large p;
  p.flag = 1;
  p.scale = static_cast<double>(args->a);
  for (int i = 0; i < 4096; ++i) p.table[i] = 1;
  p.other = 2;
  p.in = args->x;
  p.out[0] = args->y;
  p.out[1] = args->y;
  p.last = 3;
  by_value<<<test::blocks_for(args->dims.n, 256), 256, 0, test::stream_of(stream)>>>(p,
                                                                                     args->dims.n);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
