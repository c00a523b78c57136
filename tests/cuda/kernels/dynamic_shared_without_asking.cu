#include "scale.h"

__global__ void through_shared(const float* in, float* out, float a, std::int64_t n) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = a * tile[threadIdx.x];
}

// More than 48 KiB needs cudaFuncSetAttribute first.
int forge_launch(const Args* args, void* stream) {
  through_shared<<<1, 1024, 64 << 10, test::stream_of(stream)>>>(args->x, args->y, args->a,
                                                                 args->dims.n);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
