// Sums along the depth in vectors of other widths, and along the columns with c as the accumulator.
#include "forge_args.h"

namespace {

FORGE_STRUCTURE(int, kVariant, 1, 1, 4, 16);  // products added side by side; 1: c accumulates

float element(const float* a, const float* b, std::int64_t stride, std::int64_t k) {
  float lanes[kVariant] = {};
  for (std::int64_t p = 0; p < k; ++p) lanes[p % kVariant] += a[p] * b[p * stride];
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

void row_by_row(const Args& args, std::int64_t i) {
  const auto [m, n, k] = args.dims;
  float* c = args.c + i * n;
  for (std::int64_t j = 0; j < n; ++j) c[j] = 0;
  for (std::int64_t p = 0; p < k; ++p) {
    const float factor = args.a[i * k + p];
    for (std::int64_t j = 0; j < n; ++j) c[j] += factor * args.b[p * n + j];
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [m, n, k] = args->dims;
  for (std::int64_t i = 0; i < m; ++i) {
    if (kVariant == 1) {
      row_by_row(*args, i);
      continue;
    }
    for (std::int64_t j = 0; j < n; ++j) {
      args->c[i * n + j] = element(args->a + i * k, args->b + j, n, k);
    }
  }
  return 0;
}
