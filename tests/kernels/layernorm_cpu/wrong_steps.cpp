// A step of the formula is left out, or works for the usual values only.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 no eps, 1 eps outside the root, 2 the variance of a sample, 3 no bias, 4 no weights, 5 the root
// in place of its reciprocal, 6 elements below a thousandth of their row's largest count as 0, 7
// the bias multiplied by the weight
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6, 7);

float rstd_of(float variance, float eps) {
  if (kVariant == 0) return 1 / std::sqrt(variance);
  if (kVariant == 1) return 1 / (std::sqrt(variance) + eps);
  return 1 / std::sqrt(variance + eps);
}

float value(float x, float mean, float rstd, float w, float b) {
  if (kVariant == 3) b = 0;
  if (kVariant == 4) w = 1;
  if (kVariant == 7) b *= w;
  return (x - mean) * rstd * w + b;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t cols = args->dims.cols;
  for (std::int64_t i = 0; i < args->dims.rows; ++i) {
    const float* x = args->x + i * cols;
    double sum = 0;
    double squares = 0;
    float largest = 0;
    for (std::int64_t j = 0; j < cols; ++j) sum += double{x[j]};
    const double mean = sum / static_cast<double>(cols);
    for (std::int64_t j = 0; j < cols; ++j) {
      squares += (x[j] - mean) * (x[j] - mean);
      largest = std::fmax(largest, std::fabs(x[j]));
    }
    const auto count = static_cast<double>(kVariant == 2 ? cols - 1 : cols);
    const float rstd = rstd_of(static_cast<float>(squares / count), args->eps);
    args->mean[i] = static_cast<float>(mean);
    args->rstd[i] = kVariant == 5 ? 1 / rstd : rstd;
    const float least = kVariant == 6 ? largest * 1e-3f : 0;
    for (std::int64_t j = 0; j < cols; ++j) {
      const float element = std::fabs(x[j]) < least ? 0 : x[j];
      args->y[i * cols + j] =
          value(element, args->mean[i], rstd, args->w[j], args->b != nullptr ? args->b[j] : 0);
    }
  }
  return 0;
}
