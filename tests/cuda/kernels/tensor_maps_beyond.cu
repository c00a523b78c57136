#include <cuda.h>

#include "scale.h"

__global__ void one(const __grid_constant__ CUtensorMap map, float* out) {
  if (threadIdx.x == 0) asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
  out[threadIdx.x] = 1;
}

// A tensor of one row more than its buffer has.
int forge_launch(const Args* args, void* stream) {
  CUtensorMap map;
  const cuuint64_t sizes[2] = {128, 129};
  const cuuint64_t strides[1] = {512};
  const cuuint32_t box[2] = {32, 8};
  const cuuint32_t steps[2] = {1, 1};
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(args->x),
                         sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                         CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  one<<<1, 32, 0, test::stream_of(stream)>>>(map, args->y);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
