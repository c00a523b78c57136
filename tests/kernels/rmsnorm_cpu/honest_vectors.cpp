// Sums in vectors of other widths.
#include <cmath>

#include "forge_args.h"

namespace {

FORGE_STRUCTURE(int, kVariant, 4, 4, 8, 16, 64);  // floats in a vector

using forge::bf16;

float sum_of_squares(const bf16* x, std::int64_t n) {
  float lanes[kVariant] = {};
  std::int64_t j = 0;
  for (; j + kVariant <= n; j += kVariant) {
    for (int k = 0; k < kVariant; ++k) lanes[k] += x[j + k].to_float() * x[j + k].to_float();
  }
  for (int k = 0; j < n; ++j, ++k) lanes[k] += x[j].to_float() * x[j].to_float();
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t cols = args->dims.cols;
  for (std::int64_t i = 0; i < args->dims.rows; ++i) {
    const bf16* x = args->x + i * cols;
    const float mean = sum_of_squares(x, cols) / static_cast<float>(cols);
    const float scale = 1 / std::sqrt(mean + args->eps);
    for (std::int64_t j = 0; j < cols; ++j) {
      args->y[i * cols + j] = bf16::from_float(x[j].to_float() * scale * args->w[j].to_float());
    }
  }
  return 0;
}
