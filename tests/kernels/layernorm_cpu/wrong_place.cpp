// Right but for one place.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 the last row is not written, 1 one row has its neighbour's mean, 2 one element is 1 % off, 3
// two rows are swapped, 4 the last 16 columns have no bias, 5 the last column of each row is 0, 6
// one mean is not written, 7 one rstd is 0.1 % off
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6, 7);

struct Moments {
  float mean;
  float rstd;
};

Moments moments_of(const Args& args, std::int64_t i) {
  const std::int64_t cols = args.dims.cols;
  const float* x = args.x + i * cols;
  double sum = 0;
  double squares = 0;
  for (std::int64_t j = 0; j < cols; ++j) sum += double{x[j]};
  const double mean = sum / static_cast<double>(cols);
  for (std::int64_t j = 0; j < cols; ++j) squares += (x[j] - mean) * (x[j] - mean);
  const double variance = squares / static_cast<double>(cols);
  return {static_cast<float>(mean), static_cast<float>(1 / std::sqrt(variance + double{args.eps}))};
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t rows = args->dims.rows;
  const std::int64_t cols = args->dims.cols;
  const std::int64_t middle = rows / 2;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (kVariant == 0 && i == rows - 1) break;
    const Moments row = moments_of(*args, i);
    const bool shifted = kVariant == 1 && i == middle && i > 0;
    const float mean = shifted ? moments_of(*args, i - 1).mean : row.mean;
    const bool swapped = kVariant == 3 && rows > 1 && (i == 0 || i == rows - 1);
    const std::int64_t to = swapped ? rows - 1 - i : i;
    for (std::int64_t j = 0; j < cols; ++j) {
      const bool has_bias = args->b != nullptr && (kVariant != 4 || j < cols - 16);
      float value = (args->x[i * cols + j] - mean) * row.rstd * args->w[j];
      if (has_bias) value += args->b[j];
      if (kVariant == 2 && i == middle && j == cols / 3) value *= 1.01f;
      if (kVariant == 5 && j == cols - 1) value = 0;
      args->y[to * cols + j] = value;
    }
    if (kVariant != 6 || i != middle) args->mean[i] = row.mean;
    args->rstd[i] = kVariant == 7 && i == middle ? row.rstd * 1.001f : row.rstd;
  }
  return 0;
}
