// Sums in vectors of other widths, and a product with the reciprocal.
#include <cmath>

#include "forge_args.h"

namespace {

FORGE_STRUCTURE(int, kVariant, 16, 16, 64);  // floats in a vector

float sum_of(const float* x, std::int64_t n) {
  float lanes[kVariant] = {};
  std::int64_t j = 0;
  for (; j + kVariant <= n; j += kVariant) {
    for (int k = 0; k < kVariant; ++k) lanes[k] += x[j + k];
  }
  for (int k = 0; j < n; ++j, ++k) lanes[k] += x[j];
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t cols = args->dims.cols;
  for (std::int64_t i = 0; i < args->dims.rows; ++i) {
    const float* x = args->x + i * cols;
    float* y = args->y + i * cols;
    float largest = x[0];
    for (std::int64_t j = 1; j < cols; ++j) largest = x[j] > largest ? x[j] : largest;
    for (std::int64_t j = 0; j < cols; ++j) y[j] = std::exp(x[j] - largest);
    const float factor = 1 / sum_of(y, cols);
    for (std::int64_t j = 0; j < cols; ++j) y[j] *= factor;
  }
  return 0;
}
