#include "scale.h"

struct Task {
  const float* in;
  float* out;
  float a;
  std::int64_t n;
};

__constant__ Task task;
__device__ float factors[4] = {1, 1, 1, 1};
__device__ float* to_factors = factors;

__global__ void by_constant() {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < task.n) task.out[i] = task.a * task.in[i] * to_factors[i & 3];
}

__global__ void by_pointer(const float* shared_factors, float* out) {
  if (threadIdx.x == 0) out[0] *= shared_factors[0];
}

int forge_launch(const Args* args, void* stream) {
  const Task mine{args->x, args->y, args->a, args->dims.n};
  cudaMemcpyToSymbolAsync(task, &mine, sizeof mine, 0, cudaMemcpyHostToDevice,
                          test::stream_of(stream));
  const float ones[2] = {1, 1};
  cudaMemcpyToSymbolAsync(factors, ones, sizeof ones, 8, cudaMemcpyHostToDevice,
                          test::stream_of(stream));
  by_constant<<<test::blocks_for(args->dims.n, 256), 256, 0, test::stream_of(stream)>>>();
  void* address = nullptr;
  cudaGetSymbolAddress(&address, factors);
  by_pointer<<<1, 32, 0, test::stream_of(stream)>>>(static_cast<const float*>(address), args->y);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
