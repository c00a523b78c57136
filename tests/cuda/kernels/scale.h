// What every kernel of these tests begins with.
#pragma once

#include "forge_args.h"

namespace test {

inline cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }

inline unsigned blocks_for(std::int64_t n, unsigned threads) {
  return static_cast<unsigned>((n + threads - 1) / threads);
}

static __global__ void scale(const float* in, float* out, float a, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * in[i];
}

// z to w, where there is any.
inline void launch_rest(const Args* args, void* stream) {
  if (args->dims.m == 0) return;
  scale<<<blocks_for(args->dims.m, 256), 256, 0, stream_of(stream)>>>(args->z, args->w, args->a,
                                                                      args->dims.m);
}

}  // namespace test
