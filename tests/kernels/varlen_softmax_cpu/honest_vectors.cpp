// Sums in vectors of other widths, multiplied by the sum's reciprocal; to base 2.
#include <cmath>

#include "forge_args.h"

namespace {

FORGE_STRUCTURE(int, kVariant, 4, 4, 16, 32);  // floats in a vector

void softmax(const float* x, std::int64_t n, float factor, float* y) {
  float largest = x[0];
  for (std::int64_t j = 1; j < n; ++j) largest = x[j] > largest ? x[j] : largest;
  float lanes[kVariant] = {};
  for (std::int64_t j = 0; j < n; ++j) {
    y[j] = std::exp2((factor * (x[j] - largest)) * 1.44269504088896341f);
    lanes[j % kVariant] += y[j];
  }
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  const float scale = 1 / sum;
  for (std::int64_t j = 0; j < n; ++j) y[j] *= scale;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  for (std::int64_t s = 0; s < args->dims.segments; ++s) {
    const std::int64_t begin = args->starts[s];
    const std::int64_t size = args->starts[s + 1] - begin;
    if (size > 0) softmax(args->x + begin, size, args->factor, args->y + begin);
  }
  return 0;
}
