// control: correct and slow: each element three times, with a division
#include "forge_args.h"

extern "C" int forge_launch(const Args* args, void*) {
  for (int pass = 0; pass < 3; ++pass) {
    for (std::int64_t i = 0; i < args->dims.n; ++i) {
      volatile float half = args->a / 2;
      args->y[i] = half * args->x[i] + half * args->x[i] + args->z[i];
    }
  }
  return 0;
}
