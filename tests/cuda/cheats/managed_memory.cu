#include "../kernels/scale.h"

__managed__ float kept[16384];

int forge_launch(const Args* args, void* stream) {
  test::scale<<<test::blocks_for(args->dims.n, 256), 256, 0, test::stream_of(stream)>>>(
      args->x, args->y, kept[0] + args->a, args->dims.n);
  test::launch_rest(args, stream);
  return 0;
}
