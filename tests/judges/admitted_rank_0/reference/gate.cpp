#include <cmath>

#include "forge_args.h"

extern "C" int forge_launch(const Args* args, void*) {
  double sum = 0;
  for (std::int64_t i = 0; i < args->dims.n; ++i) {
    const double term = std::pow(args->x[i], static_cast<double>(args->power));
    sum += args->weight == nullptr ? term : args->weight[i] * term;
  }
  *args->y = sum;
  return 0;
}
