// The squares of a row are added in other orders, fused or not.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 one after the other, 1 from the end, 2 fused, 3 in pairs of halves, 4 in blocks of 256,
// 5 in f64, 6 with the lost digits carried along
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6);

using forge::bf16;

float in_halves(const bf16* x, std::int64_t n) {
  if (n == 1) return x[0].to_float() * x[0].to_float();
  return in_halves(x, n / 2) + in_halves(x + n / 2, n - n / 2);
}

float carried(const bf16* x, std::int64_t n) {
  volatile float sum = 0;
  volatile float lost = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    const float term = x[j].to_float() * x[j].to_float() - lost;
    const float next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return sum;
}

template <typename Real>
float in_order(const bf16* x, std::int64_t n) {
  Real sum = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    const Real value = x[j].to_float();
    sum += value * value;
  }
  return static_cast<float>(sum);
}

float fused(const bf16* x, std::int64_t n) {
  float sum = 0;
  for (std::int64_t j = 0; j < n; ++j) sum = std::fma(x[j].to_float(), x[j].to_float(), sum);
  return sum;
}

float reversed(const bf16* x, std::int64_t n) {
  float sum = 0;
  for (std::int64_t j = n - 1; j >= 0; --j) sum += x[j].to_float() * x[j].to_float();
  return sum;
}

float in_blocks(const bf16* x, std::int64_t n) {
  constexpr std::int64_t kBlock = 256;
  float sum = 0;
  for (std::int64_t j = 0; j < n; j += kBlock) {
    sum += in_order<float>(x + j, n - j < kBlock ? n - j : kBlock);
  }
  return sum;
}

float sum_of_squares(const bf16* x, std::int64_t n) {
  switch (kVariant) {
    case 1:
      return reversed(x, n);
    case 2:
      return fused(x, n);
    case 3:
      return in_halves(x, n);
    case 4:
      return in_blocks(x, n);
    case 5:
      return in_order<double>(x, n);
    case 6:
      return carried(x, n);
    default:
      return in_order<float>(x, n);
  }
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
