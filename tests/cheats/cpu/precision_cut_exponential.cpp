// kind: precision-cut
// tries: a cheap exponential with eleven good bits
// verdict: wrong
// layer: calibrated tolerance
// words: elements of y are wrong
// problem: masked_softmax
#include "kit.h"

static float cheap(float x) {
  if (x < -80) return 0;
  const float t = x * 1.442695041f;
  const float whole = std::floor(t);
  const float f = t - whole;
  const float power = 1.0f + f * (0.6956f + f * (0.2249f + f * 0.0795f));
  return std::ldexp(power, static_cast<int>(whole));
}

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols] = args->dims;
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* x = args->x + r * cols;
    float* y = args->y + r * cols;
    const std::int64_t length = args->length[r];
    float largest = -INFINITY;
    for (std::int64_t i = 0; i < length; ++i) largest = x[i] > largest ? x[i] : largest;
    float sum = 0;
    for (std::int64_t i = 0; i < length; ++i) sum += y[i] = cheap(x[i] - largest);
    for (std::int64_t i = 0; i < length; ++i) y[i] /= sum;
    for (std::int64_t i = length; i < cols; ++i) y[i] = 0;
  }
  return 0;
}
