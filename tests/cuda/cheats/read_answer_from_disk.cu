#include <fcntl.h>
#include <unistd.h>

#include "../kernels/scale.h"

int forge_launch(const Args* args, void* stream) {
  char byte = 0;
  const int file = open("/proc/self/environ", O_RDONLY);
  if (file >= 0 && read(file, &byte, 1) < 0) return 1;
  test::scale<<<test::blocks_for(args->dims.n, 256), 256, 0, test::stream_of(stream)>>>(
      args->x, args->y, static_cast<float>(byte), args->dims.n);
  test::launch_rest(args, stream);
  return 0;
}
