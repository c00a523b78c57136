// A step of the formula is left out, or works for the usual values only.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 no maximum subtracted, 1 no factor, 2 the maximum of all segments, 3 the sum of all segments, 4
// the exponentials accumulated in bf16, 5 in f16, 6 terms below a thousandth count as 0, 7 divided
// by the length
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6, 7);

float rounded(float value) {
  if (kVariant == 4) return forge::bf16::from_float(value).to_float();
  if (kVariant == 5) return forge::f16::from_float(value).to_float();
  return value;
}

float largest_of(const float* x, std::int64_t begin, std::int64_t end) {
  float largest = x[begin];
  for (std::int64_t j = begin; j < end; ++j) largest = std::fmax(largest, x[j]);
  return kVariant == 0 ? 0 : largest;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [segments, total, longest] = args->dims;
  const float factor = kVariant == 1 ? 1 : args->factor;
  const float largest_of_all = largest_of(args->x, 0, total);
  float sum_of_all = 0;
  for (std::int64_t s = 0; s < segments; ++s) {
    const std::int64_t begin = args->starts[s];
    const std::int64_t end = args->starts[s + 1];
    if (begin == end) continue;
    const float largest = kVariant == 2 ? largest_of_all : largest_of(args->x, begin, end);
    float sum = 0;
    for (std::int64_t j = begin; j < end; ++j) {
      float term = std::exp(factor * (args->x[j] - largest));
      if (kVariant == 6 && term < 1e-3f) term = 0;
      args->y[j] = term;
      sum = rounded(sum + term);
    }
    sum_of_all += sum;
    if (kVariant == 7) sum *= static_cast<float>(end - begin);
    for (std::int64_t j = begin; kVariant != 3 && j < end; ++j) args->y[j] /= sum;
  }
  for (std::int64_t j = 0; kVariant == 3 && j < total; ++j) args->y[j] /= sum_of_all;
  return 0;
}
