// control: OpenMP, whose threads spin between calls for a while
#include "forge_args.h"

extern "C" int forge_launch(const Args* args, void*) {
#pragma omp parallel for num_threads(2)
  for (std::int64_t i = 0; i < args->dims.n; ++i) args->y[i] = args->a * args->x[i] + args->z[i];
  return 0;
}
