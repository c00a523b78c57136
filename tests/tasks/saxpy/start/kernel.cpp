#include "forge_args.h"

// Two loops instead of one: a choice of structure that is easy to price.
FORGE_STRUCTURE(bool, kFused, false, false, true);
FORGE_TUNABLE(int, kBlock, 8, 1, 8, 64);

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t n = args->dims.n;
  if constexpr (kFused) {
    for (std::int64_t i = 0; i < n; ++i) args->y[i] = args->a * args->x[i] + args->z[i];
    return 0;
  }
  for (std::int64_t block = 0; block < n; block += kBlock) {
    const std::int64_t end = block + kBlock < n ? block + kBlock : n;
    for (std::int64_t i = block; i < end; ++i) args->y[i] = args->a * args->x[i];
    for (std::int64_t i = block; i < end; ++i) args->y[i] += args->z[i];
  }
  return 0;
}
