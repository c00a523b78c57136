// The chosen elements, their order or their indices are other ones.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "forge_args.h"

namespace {

// 0 the last column is not looked at, 1 the first is not, 2 the smallest first, 3 by magnitude, 4
// the k-th is the (k-1)-th again, 5 what lies beyond the last whole block of 16 is not looked at, 6
// compared as bf16, 7 the least of them last but the others in no order
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6, 7);

float key(float x) {
  if (kVariant == 3) return std::fabs(x);
  return kVariant == 6 ? forge::bf16::from_float(x).to_float() : x;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols, k] = args->dims;
  const std::int64_t begin = kVariant == 1 && cols > k ? 1 : 0;
  std::int64_t end = cols;
  if (kVariant == 0 && cols > k) end = cols - 1;
  if (kVariant == 5 && cols / 16 * 16 >= k) end = cols / 16 * 16;
  std::vector<std::int64_t> order(static_cast<std::size_t>(end - begin));
  for (std::int64_t i = 0; i < rows; ++i) {
    const float* x = args->x + i * cols;
    std::iota(order.begin(), order.end(), begin);
    std::partial_sort(order.begin(), order.begin() + k, order.end(),
                      [x](std::int64_t a, std::int64_t b) { return key(x[a]) > key(x[b]); });
    if (kVariant == 2) std::reverse(order.begin(), order.begin() + k);
    if (kVariant == 4 && k > 1)
      order[static_cast<std::size_t>(k - 1)] = order[static_cast<std::size_t>(k - 2)];
    if (kVariant == 7) std::reverse(order.begin(), order.begin() + (k - 1));
    for (std::int64_t j = 0; j < k; ++j) {
      args->index[i * k + j] = order[static_cast<std::size_t>(j)];
      args->values[i * k + j] = x[order[static_cast<std::size_t>(j)]];
    }
  }
  return 0;
}
