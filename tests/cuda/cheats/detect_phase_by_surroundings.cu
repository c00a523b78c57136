// Its grid depends on where its own code lies, which differs from process to process.
#include "../kernels/scale.h"

int forge_launch(const Args* args, void* stream) {
  const auto here = reinterpret_cast<std::uintptr_t>(&forge_launch);
  const std::int64_t n = args->dims.n;
  test::scale<<<test::blocks_for(n, 256) + static_cast<unsigned>(here >> 12 & 0xffff), 256, 0,
                test::stream_of(stream)>>>(args->x, args->y, args->a, n);
  test::launch_rest(args, stream);
  return 0;
}
