// Products and sums are rounded in other places.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 each product rounded to f32, 1 the first fused, 2 the second fused, 3 in f64
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3);

// a * b - c * d
float difference(float a, float b, float c, float d) {
  if (kVariant == 1) return std::fma(a, b, -(c * d));
  if (kVariant == 2) return std::fma(-c, d, a * b);
  if (kVariant == 3) return static_cast<float>(double{a} * b - double{c} * d);
  const volatile float left = a * b;
  const volatile float right = c * d;
  return left - right;
}

void turn(const forge::bf16* x, const float* cos, const float* sin, std::int64_t half,
          forge::bf16* out) {
  for (std::int64_t i = 0; i < half; ++i) {
    const float first = x[i].to_float();
    const float second = x[half + i].to_float();
    out[i] = forge::bf16::from_float(difference(first, cos[i], second, sin[i]));
    out[half + i] = forge::bf16::from_float(difference(second, cos[i], -first, sin[i]));
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [tokens, heads, kv_heads, half, positions] = args->dims;
  for (std::int64_t t = 0; t < tokens; ++t) {
    const float* cos = args->cos + args->position[t] * half;
    const float* sin = args->sin + args->position[t] * half;
    for (std::int64_t h = 0; h < heads; ++h) {
      turn(args->q + t * args->q_strides[0] + h * args->q_strides[1], cos, sin, half,
           args->q_out + (t * heads + h) * 2 * half);
    }
    for (std::int64_t h = 0; h < kv_heads; ++h) {
      turn(args->k + t * args->k_strides[0] + h * args->k_strides[1], cos, sin, half,
           args->k_out + (t * kv_heads + h) * 2 * half);
    }
  }
  return 0;
}
