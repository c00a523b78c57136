#include <cuda_bf16.h>

#include "forge_args.h"

// One block a row: reads it once into registers, sums squares, writes. Rows that are too long or
// not aligned go the slow way.
FORGE_TUNABLE(int, kThreads, 256, 128, 256, 512, 1024);
FORGE_TUNABLE(int, kVector, 4, 1, 2, 4, 8);

namespace {

constexpr int kWarp = 32;
constexpr int kHeld = 8;  // vectors a thread keeps

struct alignas(2 * kVector) Vector {
  __nv_bfloat16 values[kVector];
};

__device__ float sum_over_block(float value) {
  __shared__ float partial[kThreads / kWarp];
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(0xffffffff, value, offset);
  }
  if (threadIdx.x % kWarp == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  float total = 0;
  for (int i = 0; i < kThreads / kWarp; ++i) total += partial[i];
  return total;
}

__global__ void __launch_bounds__(kThreads)
    normalise(const __nv_bfloat16* x, const __nv_bfloat16* w, __nv_bfloat16* y, std::int64_t cols,
              float eps) {
  const std::int64_t row = blockIdx.x;
  const auto* in = reinterpret_cast<const Vector*>(x + row * cols);
  const auto* weights = reinterpret_cast<const Vector*>(w);
  auto* out = reinterpret_cast<Vector*>(y + row * cols);
  const int vectors = static_cast<int>(cols / kVector);
  Vector held[kHeld];
  float squares = 0;
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    const int i = k * kThreads + static_cast<int>(threadIdx.x);
    if (i >= vectors) continue;
    held[k] = in[i];
#pragma unroll
    for (int v = 0; v < kVector; ++v) {
      const float element = __bfloat162float(held[k].values[v]);
      squares += element * element;
    }
  }
  const float scale = rsqrtf(sum_over_block(squares) / static_cast<float>(cols) + eps);
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    const int i = k * kThreads + static_cast<int>(threadIdx.x);
    if (i >= vectors) continue;
    const Vector weight = weights[i];
    Vector result;
#pragma unroll
    for (int v = 0; v < kVector; ++v) {
      result.values[v] = __float2bfloat16(__bfloat162float(held[k].values[v]) * scale *
                                          __bfloat162float(weight.values[v]));
    }
    out[i] = result;
  }
}

__global__ void __launch_bounds__(kThreads)
    normalise_any(const __nv_bfloat16* x, const __nv_bfloat16* w, __nv_bfloat16* y,
                  std::int64_t cols, float eps) {
  const __nv_bfloat16* in = x + blockIdx.x * cols;
  __nv_bfloat16* out = y + blockIdx.x * cols;
  float squares = 0;
  for (std::int64_t i = threadIdx.x; i < cols; i += kThreads) {
    const float element = __bfloat162float(in[i]);
    squares += element * element;
  }
  const float scale = rsqrtf(sum_over_block(squares) / static_cast<float>(cols) + eps);
  for (std::int64_t i = threadIdx.x; i < cols; i += kThreads) {
    out[i] = __float2bfloat16(__bfloat162float(in[i]) * scale * __bfloat162float(w[i]));
  }
}

}  // namespace

int forge_launch(const Args* args, void* stream) {
  const std::int64_t cols = args->dims.cols;
  const auto rows = static_cast<unsigned>(args->dims.rows);
  const auto* x = reinterpret_cast<const __nv_bfloat16*>(args->x);
  const auto* w = reinterpret_cast<const __nv_bfloat16*>(args->w);
  auto* y = reinterpret_cast<__nv_bfloat16*>(args->y);
  const auto queue = static_cast<cudaStream_t>(stream);
  if (cols % kVector == 0 && cols <= std::int64_t{kHeld} * kThreads * kVector) {
    normalise<<<rows, kThreads, 0, queue>>>(x, w, y, cols, args->eps);
  } else {
    normalise_any<<<rows, kThreads, 0, queue>>>(x, w, y, cols, args->eps);
  }
  return cudaGetLastError();
}
