#include "../kernels/scale.h"

int forge_launch(const Args* args, void* stream) {
  cudaMemcpyAsync(args->y, args->x, static_cast<std::size_t>(args->dims.n) * 4 + 4,
                  cudaMemcpyDeviceToDevice, test::stream_of(stream));
  test::launch_rest(args, stream);
  return 0;
}
