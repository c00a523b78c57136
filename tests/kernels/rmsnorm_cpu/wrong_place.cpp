// Right but for one place.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 the last row is not written, 1 one row has its neighbour's scale, 2 one element is 5 % off,
// 3 two rows are swapped, 4 the last 16 columns are not scaled, 5 the last column of each row is 0
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5);

float scale_of(const Args& args, std::int64_t i) {
  const std::int64_t cols = args.dims.cols;
  float sum = 0;
  for (std::int64_t j = 0; j < cols; ++j) {
    const float x = args.x[i * cols + j].to_float();
    sum += x * x;
  }
  return 1 / std::sqrt(sum / static_cast<float>(cols) + args.eps);
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t rows = args->dims.rows;
  const std::int64_t cols = args->dims.cols;
  const std::int64_t middle = rows / 2;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (kVariant == 0 && i == rows - 1) break;
    const bool shifted = kVariant == 1 && i == middle && i > 0;
    const float scale = scale_of(*args, shifted ? i - 1 : i);
    const bool swapped = kVariant == 3 && rows > 1 && (i == 0 || i == rows - 1);
    const std::int64_t to = swapped ? rows - 1 - i : i;
    for (std::int64_t j = 0; j < cols; ++j) {
      float value = args->x[i * cols + j].to_float() * args->w[j].to_float();
      if (kVariant != 4 || j < cols - 16) value *= scale;
      if (kVariant == 2 && i == middle && j == cols / 3) value *= 1.05f;
      if (kVariant == 5 && j == cols - 1) value = 0;
      args->y[to * cols + j] = forge::bf16::from_float(value);
    }
  }
  return 0;
}
