#include <cuda.h>

#include "scale.h"

// The address of a tensor map is what a bulk copy takes; its use is the replayer's affair.
__global__ void one(const __grid_constant__ CUtensorMap map, float* out) {
  if (threadIdx.x == 0) asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
  out[threadIdx.x] = 1;
}

struct Maps {
  float scale;
  CUtensorMap in;
  CUtensorMap out;
  float* y;
};

__global__ void many(const __grid_constant__ Maps maps) {
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&maps.in));
    asm volatile("prefetch.tensormap [%0];" ::"l"(&maps.out));
  }
  maps.y[threadIdx.x] = maps.scale;
}

namespace {

using Encode = decltype(&cuTensorMapEncodeTiled);

Encode encoder() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                   &found);
  return found == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(function) : nullptr;
}

// The memory at `base`, 16384 floats, as a tensor of the given rank.
CUresult encode(CUtensorMap* map, float* base, unsigned rank, CUtensorMapSwizzle swizzle) {
  const cuuint64_t sizes_by_rank[5][5] = {
      {16384}, {128, 128}, {32, 32, 16}, {16, 32, 8, 4}, {16, 4, 16, 4, 4}};
  const cuuint64_t* sizes = sizes_by_rank[rank - 1];
  cuuint64_t strides[4]{};
  cuuint64_t stride = 4;
  for (unsigned i = 0; i + 1 < rank; ++i) strides[i] = stride *= sizes[i];
  const cuuint32_t box[5] = {8, 2, 2, 2, 2};
  const cuuint32_t steps[5] = {1, 1, 1, 1, 1};
  static const Encode function = encoder();
  return function(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, base, sizes, strides, box, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

}  // namespace

int forge_launch(const Args* args, void* stream) {
  float* x = const_cast<float*>(args->x);
  for (unsigned rank = 1; rank <= 5; ++rank) {
    CUtensorMap map;
    const auto swizzle = static_cast<CUtensorMapSwizzle>(rank % 4);
    if (encode(&map, x, rank, swizzle) != CUDA_SUCCESS) return 1;
    one<<<1, 32, 0, test::stream_of(stream)>>>(map, args->y);
  }
  Maps maps;
  maps.scale = args->a;
  maps.y = args->y;
  if (encode(&maps.in, x, 2, CU_TENSOR_MAP_SWIZZLE_32B) != CUDA_SUCCESS) return 2;
  if (encode(&maps.out, args->y, 2, CU_TENSOR_MAP_SWIZZLE_128B) != CUDA_SUCCESS) return 3;
  many<<<1, 32, 0, test::stream_of(stream)>>>(maps);

  // An image of one batch, 16 x 16 pixels of 64 channels, by columns of pixels.
  CUtensorMap columns;
  const cuuint64_t sizes[4] = {64, 16, 16, 1};
  const cuuint64_t strides[3] = {256, 4096, 65536};
  const int corner[2] = {0, 0};
  const cuuint32_t steps[4] = {1, 1, 1, 1};
  if (cuTensorMapEncodeIm2col(&columns, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, x, sizes, strides,
                              corner, corner, 32, 64, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                              CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    return 4;
  }
  one<<<1, 32, 0, test::stream_of(stream)>>>(columns, args->y);
  // What the driver would not take is not taken here: a stride that is no multiple of 16 bytes.
  const cuuint64_t odd[3] = {250, 4096, 65536};
  if (cuTensorMapEncodeIm2col(&columns, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, x, sizes, odd, corner,
                              corner, 32, 64, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                              CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_ERROR_INVALID_VALUE) {
    return 5;
  }
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
