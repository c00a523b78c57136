// The rounding, or the scale, is another one.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 ties away from zero, 1 ties up, 2 cut off, 3 a reciprocal of bf16, 4 scale times a rounded
// 1/127, 5 scale of 128 steps, 6 cut off at 126, 7 a scale of 1 for zeros, 8 the scale as bf16
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8);

float scale_of(float largest) {
  if (kVariant == 4) return largest * (1.0f / 127);
  if (kVariant == 5) return largest / 128;
  if (kVariant == 7 && largest == 0) return 1;
  const float scale = largest / 127;
  return kVariant == 8 ? forge::bf16::from_float(scale).to_float() : scale;
}

float rounded(float x, float scale) {
  const float quotient = x / scale;
  switch (kVariant) {
    case 0:
      return std::round(quotient);
    case 1:
      return std::floor(quotient + 0.5f);
    case 2:
      return std::trunc(quotient);
    case 3:
      return std::nearbyint(x * forge::bf16::from_float(1 / scale).to_float());
    default:
      return std::nearbyint(quotient);
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols, group] = args->dims;
  const float most = kVariant == 6 ? 126 : 127;
  for (std::int64_t g = 0; g < rows * (cols / group); ++g) {
    const float* x = args->x + g * group;
    float largest = 0;
    for (std::int64_t j = 0; j < group; ++j) largest = std::fmax(largest, std::fabs(x[j]));
    const float scale = scale_of(largest);
    args->scale[g] = scale;
    for (std::int64_t j = 0; j < group; ++j) {
      const float value = scale == 0 ? 0 : rounded(x[j], scale);
      args->q[g * group + j] = static_cast<std::int8_t>(std::fmax(std::fmin(value, most), -most));
    }
  }
  return 0;
}
