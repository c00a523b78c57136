// The largest magnitude is found in other orders and widths.
#include <algorithm>
#include <cmath>

#include "forge_args.h"

namespace {

// 0 from the end, 1 in pairs of halves, 2 from the largest and the smallest, 3 in 16 lanes, 4
// groups from the last to the first
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4);

float in_halves(const float* x, std::int64_t n) {
  return n == 1 ? std::fabs(x[0]) : std::max(in_halves(x, n / 2), in_halves(x + n / 2, n - n / 2));
}

float in_lanes(const float* x, std::int64_t n) {
  float lanes[16] = {};
  for (std::int64_t j = 0; j < n; ++j) lanes[j % 16] = std::max(lanes[j % 16], std::fabs(x[j]));
  return *std::max_element(lanes, lanes + 16);
}

float largest_magnitude(const float* x, std::int64_t n) {
  if (kVariant == 1) return in_halves(x, n);
  if (kVariant == 2) return std::max(*std::max_element(x, x + n), -*std::min_element(x, x + n));
  if (kVariant == 3) return in_lanes(x, n);
  float largest = 0;
  for (std::int64_t j = n - 1; j >= 0; --j) largest = std::max(largest, std::fabs(x[j]));
  return largest;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols, group] = args->dims;
  const std::int64_t groups = rows * (cols / group);
  for (std::int64_t i = 0; i < groups; ++i) {
    const std::int64_t g = kVariant == 4 ? groups - 1 - i : i;
    const float* x = args->x + g * group;
    const float scale = largest_magnitude(x, group) / 127;
    args->scale[g] = scale;
    for (std::int64_t j = 0; j < group; ++j) {
      const float quotient = scale == 0 ? 0 : x[j] / scale;
      args->q[g * group + j] = static_cast<std::int8_t>(std::lrint(quotient));
    }
  }
  return 0;
}
