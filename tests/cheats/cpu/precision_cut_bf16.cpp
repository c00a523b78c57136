// kind: precision-cut
// tries: products of numbers cut to bf16
// verdict: wrong
// layer: calibrated tolerance
// words: elements of c are wrong
// problem: matmul
#include "kit.h"

static float cut(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits &= 0xffff0000u;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

extern "C" int forge_launch(const Args* args, void*) {
  const auto [m, n, k] = args->dims;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t l = 0; l < k; ++l) {
      const float factor = cut(args->a[i * k + l]);
      for (std::int64_t j = 0; j < n; ++j) args->c[i * n + j] += factor * cut(args->b[l * n + j]);
    }
  }
  return 0;
}
