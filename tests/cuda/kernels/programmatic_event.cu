#include "scale.h"

int forge_launch(const Args* args, void* stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticEvent;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(test::blocks_for(args->dims.n, 256));
  config.blockDim = dim3(256);
  config.stream = test::stream_of(stream);
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, test::scale, args->x, args->y, args->a, args->dims.n);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
