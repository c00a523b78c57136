#include "scale.h"

template <int Threads, typename T>
__global__ void __launch_bounds__(Threads) copy(const T* in, T* out, T a, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * Threads + threadIdx.x;
  if (i < n) out[i] = a * in[i];
}

int forge_launch(const Args* args, void* stream) {
  const std::int64_t half = args->dims.n / 2;
  copy<128><<<test::blocks_for(half, 128), 128, 0, test::stream_of(stream)>>>(args->x, args->y,
                                                                              args->a, half);
  copy<256><<<test::blocks_for(half, 256), 256, 0, test::stream_of(stream)>>>(
      args->x + half, args->y + half, args->a, args->dims.n - half);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
