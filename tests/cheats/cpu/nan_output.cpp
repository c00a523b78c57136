// kind: nan-output
// tries: NaN, which compares as not greater than any tolerance
// verdict: wrong
// layer: poison
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  for (std::int64_t i = 0; i < args->dims.n; ++i) args->y[i] = NAN;
  return 0;
}
