// Right but for one place.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 the last row is not written, 1 a group has its neighbour's scale, 2 one q is off by 1, 3 the
// last element of a group does not count for its scale, 4 the first does not, 5 the largest instead
// of the largest magnitude, 6 the last element of each row is 0, 7 one scale is not written
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6, 7);

float scale_of(const float* x, std::int64_t group) {
  const std::int64_t begin = kVariant == 4 && group > 1 ? 1 : 0;
  const std::int64_t end = kVariant == 3 && group > 1 ? group - 1 : group;
  float largest = 0;
  for (std::int64_t j = begin; j < end; ++j) {
    largest = std::fmax(largest, kVariant == 5 ? x[j] : std::fabs(x[j]));
  }
  return largest / 127;
}

std::int8_t quantised(float x, float scale) {
  const float value = scale == 0 ? 0 : std::nearbyint(x / scale);
  return static_cast<std::int8_t>(std::fmax(std::fmin(value, 127.0f), -127.0f));
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols, group] = args->dims;
  const std::int64_t in_row = cols / group;
  const std::int64_t middle = rows * in_row / 2;
  for (std::int64_t g = 0; g < (kVariant == 0 ? rows - 1 : rows) * in_row; ++g) {
    const float* x = args->x + g * group;
    const bool shifted = kVariant == 1 && g == middle && g > 0;
    const float scale = scale_of(shifted ? x - group : x, group);
    if (kVariant != 7 || g != middle) args->scale[g] = scale;
    for (std::int64_t j = 0; j < group; ++j) args->q[g * group + j] = quantised(x[j], scale);
    if (kVariant == 6 && g % in_row == in_row - 1) args->q[(g + 1) * group - 1] = 0;
  }
  if (kVariant == 2) {
    std::int8_t& one = args->q[rows * cols / 2];
    one = static_cast<std::int8_t>(one > 0 ? one - 1 : one + 1);
  }
  return 0;
}
