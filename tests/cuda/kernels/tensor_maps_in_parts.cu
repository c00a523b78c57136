#include <cuda.h>

#include "scale.h"

struct alignas(64) Half {
  std::uint64_t words[8];
};

__global__ void one(const __grid_constant__ Half half, float* out) {
  out[threadIdx.x] = static_cast<float>(half.words[threadIdx.x & 7]);
}

// Looks into an opaque value.
int forge_launch(const Args* args, void* stream) {
  CUtensorMap map;
  const cuuint64_t sizes[1] = {16384};
  const cuuint32_t box[1] = {32};
  const cuuint32_t steps[1] = {1};
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, const_cast<float*>(args->x),
                         sizes, nullptr, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                         CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  Half half;
  for (int i = 0; i < 8; ++i) half.words[i] = map.opaque[i];
  one<<<1, 32, 0, test::stream_of(stream)>>>(half, args->y);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
