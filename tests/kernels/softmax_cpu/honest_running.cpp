// Maximum and sum in one pass: the sum is rescaled whenever the maximum grows.
#include <cmath>
#include <limits>

#include "forge_args.h"

namespace {

constexpr std::int64_t kBlock = 64;
constexpr float kLowest = std::numeric_limits<float>::lowest();

struct Running {
  float largest = kLowest;
  float sum = 0;

  void add(float largest_of_other, float sum_of_other) {
    const float grown = largest_of_other > largest ? largest_of_other : largest;
    sum = sum * std::exp(largest - grown) + sum_of_other * std::exp(largest_of_other - grown);
    largest = grown;
  }
};

Running over_row(const float* x, std::int64_t cols) {
  Running row;
  for (std::int64_t j = 0; j < cols; j += kBlock) {
    Running block;
    for (std::int64_t k = j; k < cols && k < j + kBlock; ++k) block.add(x[k], 1);
    row.add(block.largest, block.sum);
  }
  return row;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t cols = args->dims.cols;
  for (std::int64_t i = 0; i < args->dims.rows; ++i) {
    const float* x = args->x + i * cols;
    const Running row = over_row(x, cols);
    for (std::int64_t j = 0; j < cols; ++j) {
      args->y[i * cols + j] = std::exp(x[j] - row.largest) / row.sum;
    }
  }
  return 0;
}
