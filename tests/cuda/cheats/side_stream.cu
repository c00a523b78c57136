#include "../kernels/scale.h"

int forge_launch(const Args* args, void* stream) {
  static cudaStream_t side = nullptr;
  if (side == nullptr) cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  test::scale<<<test::blocks_for(args->dims.n, 256), 256, 0, side>>>(args->x, args->y, args->a,
                                                                     args->dims.n);
  test::launch_rest(args, stream);
  return 0;
}
