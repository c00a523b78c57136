// The terms of a row are added in other orders.
#include <cmath>
#include <limits>

#include "forge_args.h"

namespace {

// 0 in pairs of halves, 1 in blocks of 64, 2 in f64, 3 with the lost digits carried along,
// 4 from the end, in blocks of 64
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4);

float in_halves(const float* x, std::int64_t n) {
  if (n == 1) return x[0];
  return in_halves(x, n / 2) + in_halves(x + n / 2, n - n / 2);
}

float in_blocks(const float* x, std::int64_t n, bool reversed) {
  constexpr std::int64_t kBlock = 64;
  float total = 0;
  for (std::int64_t j = 0; j < n; j += kBlock) {
    float sum = 0;
    for (std::int64_t k = j; k < n && k < j + kBlock; ++k) sum += x[reversed ? n - 1 - k : k];
    total += sum;
  }
  return total;
}

float carried(const float* x, std::int64_t n) {
  volatile float sum = 0;
  volatile float lost = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    const float term = x[j] - lost;
    const float next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return sum;
}

float sum_of(const float* x, std::int64_t n) {
  if (kVariant == 0) return in_halves(x, n);
  if (kVariant == 1 || kVariant == 4) return in_blocks(x, n, kVariant == 4);
  if (kVariant == 3) return carried(x, n);
  double sum = 0;
  for (std::int64_t j = 0; j < n; ++j) sum += static_cast<double>(x[j]);
  return static_cast<float>(sum);
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
    const float sum = sum_of(y, cols);
    for (std::int64_t j = 0; j < cols; ++j) y[j] /= sum;
  }
  return 0;
}
