#include "../kernels/scale.h"

int forge_launch(const Args* args, void* stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeAccessPolicyWindow;
  attribute.val.accessPolicyWindow.base_ptr = args->y;
  attribute.val.accessPolicyWindow.num_bytes = 65536;
  attribute.val.accessPolicyWindow.hitRatio = 1;
  attribute.val.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(test::blocks_for(args->dims.n, 256));
  config.blockDim = dim3(256);
  config.stream = test::stream_of(stream);
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, test::scale, args->x, args->y, args->a, args->dims.n);
  test::launch_rest(args, stream);
  return 0;
}
