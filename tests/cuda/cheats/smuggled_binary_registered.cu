// Registers device code of its own beside what the compiler made.
#include "../kernels/scale.h"

extern "C" void** __cudaRegisterFatBinary(void*);

static const unsigned long long own[8] = {0};
static struct {
  int magic, version;
  const void* data;
  void* unused;
} wrapper = {0x466243b1, 1, own, nullptr};

int forge_launch(const Args* args, void* stream) {
  __cudaRegisterFatBinary(&wrapper);
  test::scale<<<test::blocks_for(args->dims.n, 256), 256, 0, test::stream_of(stream)>>>(
      args->x, args->y, args->a, args->dims.n);
  test::launch_rest(args, stream);
  return 0;
}
