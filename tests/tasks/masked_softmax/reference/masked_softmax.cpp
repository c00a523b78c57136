#include <cmath>

#include "forge_args.h"

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols] = args->dims;
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* x = args->x + r * cols;
    float* y = args->y + r * cols;
    const std::int64_t length = args->length[r];
    float largest = -INFINITY;
    for (std::int64_t i = 0; i < length; ++i) largest = x[i] > largest ? x[i] : largest;
    float sum = 0;
    for (std::int64_t i = 0; i < length; ++i) sum += y[i] = std::exp(x[i] - largest);
    for (std::int64_t i = 0; i < length; ++i) y[i] /= sum;
    for (std::int64_t i = length; i < cols; ++i) y[i] = 0;
  }
  return 0;
}
