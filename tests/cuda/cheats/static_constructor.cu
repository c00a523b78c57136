// Code that runs while the library is loaded, before any check.
#include <fcntl.h>
#include <unistd.h>

#include "../kernels/scale.h"

__attribute__((constructor)) static void early() {
  const int file = open("/tmp/forge_was_here", O_CREAT | O_WRONLY, 0644);
  if (file >= 0) close(file);
}

int forge_launch(const Args* args, void* stream) {
  test::scale<<<test::blocks_for(args->dims.n, 256), 256, 0, test::stream_of(stream)>>>(
      args->x, args->y, args->a, args->dims.n);
  test::launch_rest(args, stream);
  return 0;
}
