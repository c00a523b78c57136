// Sums in vectors of other widths.
#include <cmath>

#include "forge_args.h"

namespace {

FORGE_STRUCTURE(int, kVariant, 8, 8, 16, 64);  // floats in a vector

float sum_of_exps(const float* x, std::int64_t n, float largest) {
  float lanes[kVariant] = {};
  for (std::int64_t j = 0; j < n; ++j) lanes[j % kVariant] += std::exp(x[j] - largest);
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, classes] = args->dims;
  for (std::int64_t i = 0; i < rows; ++i) {
    const float* x = args->x + i * classes;
    float largest = x[0];
    for (std::int64_t j = 1; j < classes; ++j) largest = x[j] > largest ? x[j] : largest;
    const float log_of_sum = std::log(sum_of_exps(x, classes, largest));
    args->lse[i] = largest + log_of_sum;
    const std::int64_t target = args->target[i];
    args->loss[i] = target == args->ignored ? 0 : (largest - x[target]) + log_of_sum;
  }
  return 0;
}
