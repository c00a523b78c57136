// control: a table that a static initialiser computes
// problem: masked_softmax
#include "kit.h"

struct Table {
  // 2^(i/256)
  double power[256];
  Table() {
    for (int i = 0; i < 256; ++i) power[i] = std::exp2(i / 256.0);
  }
} const table;

static float exponential(double x) {
  if (x < -700) return 0;
  const double steps = std::floor(x * 256 / 0.69314718055994530942);
  const double rest = x - steps * 0.69314718055994530942 / 256;
  const auto whole = static_cast<std::int64_t>(steps);
  const double tail = 1 + rest * (1 + rest * (0.5 + rest / 6));
  return static_cast<float>(
      std::ldexp(table.power[whole & 255] * tail, static_cast<int>(whole >> 8)));
}

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols] = args->dims;
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* x = args->x + r * cols;
    float* y = args->y + r * cols;
    const std::int64_t length = args->length[r];
    float largest = -INFINITY;
    for (std::int64_t i = 0; i < length; ++i) largest = x[i] > largest ? x[i] : largest;
    double sum = 0;
    for (std::int64_t i = 0; i < length; ++i) sum += y[i] = exponential(x[i] - largest);
    for (std::int64_t i = 0; i < length; ++i) y[i] = static_cast<float>(y[i] / sum);
    for (std::int64_t i = length; i < cols; ++i) y[i] = 0;
  }
  return 0;
}
