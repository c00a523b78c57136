// The products are added in other orders, fused or not.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 one after the other, 1 from the end, 2 in pairs of halves, 3 in blocks of 64, 4 fused, 5 each
// product rounded, 6 in f64
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6);

// A row of a and a column of b.
struct Factors {
  const float* a;
  const float* b;
  std::int64_t stride;  // of b

  float product(std::int64_t p) const { return a[p] * b[p * stride]; }
};

float in_halves(const Factors& f, std::int64_t begin, std::int64_t end) {
  if (end - begin == 1) return f.product(begin);
  const std::int64_t middle = begin + (end - begin) / 2;
  return in_halves(f, begin, middle) + in_halves(f, middle, end);
}

float in_order(const Factors& f, std::int64_t begin, std::int64_t end) {
  float sum = 0;
  for (std::int64_t p = begin; p < end; ++p) sum += f.product(p);
  return sum;
}

float in_blocks(const Factors& f, std::int64_t k) {
  float sum = 0;
  for (std::int64_t p = 0; p < k; p += 64) sum += in_order(f, p, p + 64 < k ? p + 64 : k);
  return sum;
}

float fused(const Factors& f, std::int64_t k) {
  float sum = 0;
  for (std::int64_t p = 0; p < k; ++p) sum = std::fma(f.a[p], f.b[p * f.stride], sum);
  return sum;
}

float rounded(const Factors& f, std::int64_t k) {
  float sum = 0;
  for (std::int64_t p = 0; p < k; ++p) {
    const volatile float product = f.product(p);
    sum += product;
  }
  return sum;
}

float element(const Factors& f, std::int64_t k) {
  switch (kVariant) {
    case 1: {
      float sum = 0;
      for (std::int64_t p = k - 1; p >= 0; --p) sum += f.product(p);
      return sum;
    }
    case 2:
      return in_halves(f, 0, k);
    case 3:
      return in_blocks(f, k);
    case 4:
      return fused(f, k);
    case 5:
      return rounded(f, k);
    case 6: {
      double sum = 0;
      for (std::int64_t p = 0; p < k; ++p) sum += double{f.a[p]} * f.b[p * f.stride];
      return static_cast<float>(sum);
    }
    default:
      return in_order(f, 0, k);
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [m, n, k] = args->dims;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      args->c[i * n + j] = element({args->a + i * k, args->b + j, n}, k);
    }
  }
  return 0;
}
