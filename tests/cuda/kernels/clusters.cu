#include <cooperative_groups.h>

#include "scale.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1)
    compiled_in(const float* in, float* out, float a, std::int64_t n) {
  cg::this_cluster().sync();
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * in[i];
}

__global__ void at_launch(float* out, std::int64_t n) {
  __shared__ float tile[256];
  const cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = 1;
  cluster.sync();
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] *= *cluster.map_shared_rank(&tile[threadIdx.x], 0);
  cluster.sync();
}

int forge_launch(const Args* args, void* stream) {
  const std::int64_t n = args->dims.n;
  compiled_in<<<64, 256, 0, test::stream_of(stream)>>>(args->x, args->y, args->a, n);
  cudaFuncSetAttribute(at_launch, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 16;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = 1;
  attributes[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
  attributes[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(64);
  config.blockDim = dim3(256);
  config.stream = test::stream_of(stream);
  config.attrs = attributes;
  config.numAttrs = 2;
  cudaLaunchKernelEx(&config, at_launch, args->y, n);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
