// Right but for one place.
#include "forge_args.h"

namespace {

// 0 the last row is not written, 1 the last column is not, 2 one element is 1 % off, 3 two rows are
// swapped, 4 columns beyond the last whole 16 are 0, 5 the outputs' old values are added to, 6 a
// row has its neighbour's first factor
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6);

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [m, n, k] = args->dims;
  for (std::int64_t i = 0; i < m; ++i) {
    if (kVariant == 0 && i == m - 1) break;
    const bool swapped = kVariant == 3 && m > 1 && (i == 0 || i == m - 1);
    float* c = args->c + (swapped ? m - 1 - i : i) * n;
    const std::int64_t cols = kVariant == 1 ? n - 1 : n;
    if (kVariant != 5) {
      for (std::int64_t j = 0; j < cols; ++j) c[j] = 0;
    }
    for (std::int64_t p = 0; p < k; ++p) {
      const bool shifted = kVariant == 6 && p == 0 && i == m / 2 && i > 0;
      const float factor = args->a[(shifted ? i - 1 : i) * k + p];
      for (std::int64_t j = 0; j < cols; ++j) c[j] += factor * args->b[p * n + j];
    }
    for (std::int64_t j = n / 16 * 16; kVariant == 4 && j < n; ++j) c[j] = 0;
  }
  if (kVariant == 2) args->c[m / 2 * n + n / 3] *= 1.01f;
  return 0;
}
