// The exponentials of a segment are added in other orders, and segments are gone through in others.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 one after the other, 1 from the end, 2 in pairs of halves, 3 in blocks of 64, 4 in f64, 5 the
// factor multiplied before the maximum is subtracted, 6 segments from the last to the first
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6);

float in_halves(const float* terms, std::int64_t n) {
  return n == 1 ? terms[0] : in_halves(terms, n / 2) + in_halves(terms + n / 2, n - n / 2);
}

template <typename Real>
Real in_order(const float* terms, std::int64_t n) {
  Real sum = 0;
  for (std::int64_t j = 0; j < n; ++j) sum += terms[j];
  return sum;
}

float sum_of(const float* terms, std::int64_t n) {
  float sum = 0;
  switch (kVariant) {
    case 1:
      for (std::int64_t j = n - 1; j >= 0; --j) sum += terms[j];
      return sum;
    case 2:
      return in_halves(terms, n);
    case 3:
      for (std::int64_t j = 0; j < n; j += 64) {
        sum += in_order<float>(terms + j, n - j < 64 ? n - j : 64);
      }
      return sum;
    case 4:
      return static_cast<float>(in_order<double>(terms, n));
    default:
      return in_order<float>(terms, n);
  }
}

void softmax(const float* x, std::int64_t n, float factor, float* y) {
  float largest = x[0];
  for (std::int64_t j = 1; j < n; ++j) largest = std::fmax(largest, x[j]);
  const float scaled_largest = factor * largest;
  for (std::int64_t j = 0; j < n; ++j) {
    const volatile float scaled = factor * x[j];
    y[j] = std::exp(kVariant == 5 ? scaled - scaled_largest : factor * (x[j] - largest));
  }
  const float sum = sum_of(y, n);
  for (std::int64_t j = 0; j < n; ++j) y[j] /= sum;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t segments = args->dims.segments;
  for (std::int64_t i = 0; i < segments; ++i) {
    const std::int64_t s = kVariant == 6 ? segments - 1 - i : i;
    const std::int64_t begin = args->starts[s];
    const std::int64_t size = args->starts[s + 1] - begin;
    if (size > 0) softmax(args->x + begin, size, args->factor, args->y + begin);
  }
  return 0;
}
