// Right but for one place.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 the last row is not written, 1 one row has its neighbour's sum, 2 one element is 1 % off,
// 3 two rows are swapped, 4 the last 16 columns are not divided, 5 the last column of each row is 0
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5);

struct Row {
  float largest;
  double sum;
};

Row row_of(const Args& args, std::int64_t i) {
  const std::int64_t cols = args.dims.cols;
  const float* x = args.x + i * cols;
  Row row{x[0], 0};
  for (std::int64_t j = 1; j < cols; ++j) row.largest = x[j] > row.largest ? x[j] : row.largest;
  for (std::int64_t j = 0; j < cols; ++j) {
    row.sum += static_cast<double>(std::exp(x[j] - row.largest));
  }
  return row;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t rows = args->dims.rows;
  const std::int64_t cols = args->dims.cols;
  const std::int64_t middle = rows / 2;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (kVariant == 0 && i == rows - 1) break;
    Row row = row_of(*args, i);
    if (kVariant == 1 && i == middle && i > 0) row.sum = row_of(*args, i - 1).sum;
    const bool swapped = kVariant == 3 && rows > 1 && (i == 0 || i == rows - 1);
    const std::int64_t to = swapped ? rows - 1 - i : i;
    for (std::int64_t j = 0; j < cols; ++j) {
      float value = std::exp(args->x[i * cols + j] - row.largest);
      if (kVariant != 4 || j < cols - 16) value /= static_cast<float>(row.sum);
      if (kVariant == 2 && i == middle && j == cols / 3) value *= 1.01f;
      if (kVariant == 5 && j == cols - 1) value = 0;
      args->y[to * cols + j] = value;
    }
  }
  return 0;
}
