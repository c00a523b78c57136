#include "scale.h"

__device__ float factor = 1;

int forge_launch(const Args* args, void* stream) {
  float seen = 0;
  cudaMemcpyFromSymbolAsync(&seen, factor, sizeof seen, 0, cudaMemcpyDeviceToHost,
                            test::stream_of(stream));
  test::scale<<<test::blocks_for(args->dims.n, 256), 256, 0, test::stream_of(stream)>>>(
      args->x, args->y, seen * args->a, args->dims.n);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
