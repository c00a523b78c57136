// The values are right, and the indices of some are not; or one place is left out.
#include <algorithm>
#include <functional>
#include <vector>

#include "forge_args.h"

namespace {

// 0 of equals always the first, 1 one too large, 2 counted from the beginning of x, 3 masked
// elements are said to stand at 0, 4 the last row is not written, 5 two indices of a row are
// swapped, 6 one index is -1
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6);

std::int64_t index_of(const float* x, std::int64_t cols, float value, const std::int64_t* taken,
                      std::int64_t count) {
  if (kVariant == 3 && value == -__builtin_inff()) return 0;
  for (std::int64_t j = 0; j < cols; ++j) {
    if (x[j] != value) continue;
    if (kVariant == 0 || std::find(taken, taken + count, j) == taken + count) return j;
  }
  return 0;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols, k] = args->dims;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (kVariant == 4 && i == rows - 1) break;
    const float* x = args->x + i * cols;
    std::vector<float> sorted(x, x + cols);
    std::partial_sort(sorted.begin(), sorted.begin() + k, sorted.end(), std::greater<>());
    float* values = args->values + i * k;
    std::int64_t* index = args->index + i * k;
    for (std::int64_t j = 0; j < k; ++j) {
      values[j] = sorted[static_cast<std::size_t>(j)];
      index[j] = index_of(x, cols, values[j], index, j);
    }
    for (std::int64_t j = 0; j < k; ++j) {
      if (kVariant == 1) ++index[j];
      if (kVariant == 2) index[j] += i * cols;
    }
    if (kVariant == 5 && k > 1) std::swap(index[0], index[1]);
    if (kVariant == 6 && i == rows / 2) index[k / 2] = -1;
  }
  return 0;
}
