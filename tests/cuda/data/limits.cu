// Compiled into fuzz/corpus/cubin/limits.cubin: what a kernel can say of itself.
//   nvcc -std=c++20 -cubin -arch=sm_90a -o fuzz/corpus/cubin/limits.cubin tests/cuda/data/limits.cu
struct Large {
  float values[5000];
};

extern "C" {
__global__ void __launch_bounds__(128, 2) bounded(float* y, char c, short s, int3 q) {
  y[0] = c + s + q.x;
}
__global__ void __cluster_dims__(4, 2, 1) clustered(float* y) { y[0] = 1; }
__global__ void __launch_bounds__(256, 1, 4) few_clusters(float* y) { y[0] = 1; }
__global__ void __block_size__((64, 2, 1), (2, 1, 1)) counted_in_clusters(float* y) { y[0] = 1; }
__global__ void nothing() {}
__global__ void large(Large v, float* y) { y[0] = v.values[threadIdx.x]; }
}
