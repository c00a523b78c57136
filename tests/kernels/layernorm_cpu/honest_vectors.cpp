// Sums in vectors of other widths.
#include <cmath>

#include "forge_args.h"

namespace {

FORGE_STRUCTURE(int, kVariant, 16, 16, 32, 64);  // floats in a vector

template <typename Term>
float sum_of(std::int64_t n, Term term) {
  float lanes[kVariant] = {};
  std::int64_t j = 0;
  for (; j + kVariant <= n; j += kVariant) {
    for (int k = 0; k < kVariant; ++k) lanes[k] += term(j + k);
  }
  for (int k = 0; j < n; ++j, ++k) lanes[k] += term(j);
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t cols = args->dims.cols;
  const auto count = static_cast<float>(cols);
  for (std::int64_t i = 0; i < args->dims.rows; ++i) {
    const float* x = args->x + i * cols;
    const float mean = sum_of(cols, [x](std::int64_t j) { return x[j]; }) / count;
    const float squares =
        sum_of(cols, [x, mean](std::int64_t j) { return (x[j] - mean) * (x[j] - mean); });
    args->mean[i] = mean;
    args->rstd[i] = 1 / std::sqrt(squares / count + args->eps);
    for (std::int64_t j = 0; j < cols; ++j) {
      const float bias = args->b != nullptr ? args->b[j] : 0;
      args->y[i * cols + j] = (x[j] - mean) * args->rstd[i] * args->w[j] + bias;
    }
  }
  return 0;
}
