// kind: uninitialised-scratch
// tries: sums into an output that it takes for zero
// verdict: wrong
// layer: poison
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  for (std::int64_t i = 0; i < args->dims.n; ++i) {
    args->y[i] += args->a * args->x[i];
    args->y[i] += args->z[i];
  }
  return 0;
}
