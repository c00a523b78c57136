// Compiled into fuzz/corpus/cubin/globals.cubin: module-scope variables of each kind.
//   nvcc -std=c++20 -cubin -arch=sm_90a -o fuzz/corpus/cubin/globals.cubin
//   tests/cuda/data/globals.cu
#include <cstdio>

__constant__ float table[3];
__device__ int zeros[100];
__device__ int seven = 7;
__device__ int* to_seven = &seven;

extern "C" __global__ void uses_all(float* y) {
  static int calls = 5;
  __shared__ float shared[1000];
  shared[threadIdx.x] = table[threadIdx.x % 3] + zeros[threadIdx.x] + *to_seven;
  __syncthreads();
  y[calls++] = shared[threadIdx.x ^ 1];
  if (threadIdx.x == 0) printf("%d\n", calls);
}
extern "C" __global__ void allocates(float* y) {
  y[0] = static_cast<float>(reinterpret_cast<unsigned long long>(malloc(10)));
}
