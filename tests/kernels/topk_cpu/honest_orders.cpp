// The largest are found in other ways, and other ones among equals.
#include <algorithm>
#include <numeric>
#include <vector>

#include "forge_args.h"

namespace {

// 0 all sorted, the first among equals first; 1 all sorted, the last first; 2 split about the k-th,
// then sorted; 3 a heap; 4 the largest of those left, k times
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4);

using Indices = std::vector<std::int64_t>;

void pick_one_by_one(const float* x, std::int64_t k, Indices& order) {
  for (std::int64_t j = 0; j < k; ++j) {
    const auto begin = order.begin() + j;
    const auto larger = [x](std::int64_t a, std::int64_t b) { return x[a] < x[b]; };
    std::iter_swap(begin, std::max_element(begin, order.end(), larger));
  }
}

void choose(const float* x, std::int64_t k, Indices& order) {
  const auto larger = [x](std::int64_t a, std::int64_t b) { return x[a] > x[b]; };
  switch (kVariant) {
    case 0:
      std::stable_sort(order.begin(), order.end(), larger);
      break;
    case 1:
      std::reverse(order.begin(), order.end());
      std::stable_sort(order.begin(), order.end(), larger);
      break;
    case 2:
      std::nth_element(order.begin(), order.begin() + (k - 1), order.end(), larger);
      std::sort(order.begin(), order.begin() + k, larger);
      break;
    case 3:
      std::partial_sort(order.begin(), order.begin() + k, order.end(), larger);
      break;
    default:
      pick_one_by_one(x, k, order);
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols, k] = args->dims;
  Indices order(static_cast<std::size_t>(cols));
  for (std::int64_t i = 0; i < rows; ++i) {
    const float* x = args->x + i * cols;
    std::iota(order.begin(), order.end(), 0);
    choose(x, k, order);
    for (std::int64_t j = 0; j < k; ++j) {
      args->index[i * k + j] = order[static_cast<std::size_t>(j)];
      args->values[i * k + j] = x[order[static_cast<std::size_t>(j)]];
    }
  }
  return 0;
}
