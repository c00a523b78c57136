#include "scale.h"

__global__ void first(const float* in, float* out, float a, std::int64_t n) {
  asm volatile("griddepcontrol.launch_dependents;");
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * in[i];
}

__global__ void second(float* out, std::int64_t n) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] *= 1.0f;
}

int forge_launch(const Args* args, void* stream) {
  const std::int64_t n = args->dims.n;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(test::blocks_for(n, 256));
  config.blockDim = dim3(256);
  config.stream = test::stream_of(stream);
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, first, args->x, args->y, args->a, n);
  cudaLaunchKernelEx(&config, second, args->y, n);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
