// control: correct and fast: unrolled, which the compiler vectorises
#include "forge_args.h"

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t n = args->dims.n;
  const float* __restrict x = args->x;
  const float* __restrict z = args->z;
  float* __restrict y = args->y;
  const float a = args->a;
  std::int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    for (int lane = 0; lane < 32; ++lane) y[i + lane] = a * x[i + lane] + z[i + lane];
  }
  for (; i < n; ++i) y[i] = a * x[i] + z[i];
  return 0;
}
