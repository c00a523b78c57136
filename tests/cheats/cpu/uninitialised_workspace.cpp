// kind: uninitialised-scratch
// tries: sums into a workspace that it takes for zero
// verdict: wrong
// layer: poison
#include "kit.h"

extern "C" std::size_t forge_workspace(const Dims* dims) {
  return static_cast<std::size_t>(dims->n) * sizeof(float);
}

extern "C" int forge_launch(const Args* args, void*) {
  auto* sum = static_cast<float*>(args->workspace);
  for (std::int64_t i = 0; i < args->dims.n; ++i) sum[i] += args->a * args->x[i];
  for (std::int64_t i = 0; i < args->dims.n; ++i) args->y[i] = sum[i] + args->z[i];
  return 0;
}
