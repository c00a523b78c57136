// The exponentials of a row are added in other orders.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 in blocks of 512 from the end, 1 every 32nd, 2 in pairs of halves, 3 in blocks of 256, 4 in
// f64, 5 with the lost digits carried along
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5);

float in_halves(const float* x, std::int64_t n, float largest) {
  if (n == 1) return std::exp(x[0] - largest);
  return in_halves(x, n / 2, largest) + in_halves(x + n / 2, n - n / 2, largest);
}

float in_order(const float* x, std::int64_t n, float largest) {
  float sum = 0;
  for (std::int64_t j = 0; j < n; ++j) sum += std::exp(x[j] - largest);
  return sum;
}

float in_blocks(const float* x, std::int64_t n, std::int64_t block, float largest) {
  float sum = 0;
  for (std::int64_t j = (n - 1) / block * block; j >= 0; j -= block) {
    sum += in_order(x + j, n - j < block ? n - j : block, largest);
  }
  return sum;
}

float every_32nd(const float* x, std::int64_t n, float largest) {
  float sum = 0;
  for (std::int64_t first = 0; first < 32; ++first) {
    float part = 0;
    for (std::int64_t j = first; j < n; j += 32) part += std::exp(x[j] - largest);
    sum += part;
  }
  return sum;
}

float carried(const float* x, std::int64_t n, float largest) {
  volatile float sum = 0;
  volatile float lost = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    const float term = std::exp(x[j] - largest) - lost;
    const float next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return sum;
}

double sum_of_exps(const float* x, std::int64_t n, float largest) {
  switch (kVariant) {
    case 1:
      return every_32nd(x, n, largest);
    case 2:
      return in_halves(x, n, largest);
    case 3:
      return in_blocks(x, n, 256, largest);
    case 4: {
      double sum = 0;
      for (std::int64_t j = 0; j < n; ++j) sum += std::exp(double{x[j]} - largest);
      return sum;
    }
    case 5:
      return carried(x, n, largest);
    default:
      return in_blocks(x, n, 512, largest);
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, classes] = args->dims;
  for (std::int64_t i = 0; i < rows; ++i) {
    const float* x = args->x + i * classes;
    float largest = x[0];
    for (std::int64_t j = 1; j < classes; ++j) largest = std::fmax(largest, x[j]);
    const auto log_of_sum = static_cast<float>(std::log(sum_of_exps(x, classes, largest)));
    args->lse[i] = largest + log_of_sum;
    const bool ignored = args->target[i] == args->ignored;
    args->loss[i] = ignored ? 0 : log_of_sum - (x[args->target[i]] - largest);
  }
  return 0;
}
