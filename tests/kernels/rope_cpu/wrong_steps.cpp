// A step of the formula is another one, too narrow, or takes the tables for what they need not be.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 turned the other way, 1 neighbours make the points, 2 products rounded to bf16, 3 tables
// rounded to bf16, 4 sin from cos, 5 the second half only copied, 6 the next position's angles
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6);

using forge::bf16;

float narrow(float value, int variant) {
  return kVariant == variant ? bf16::from_float(value).to_float() : value;
}

void turn(const bf16* x, const float* cos, const float* sin, std::int64_t half, bf16* out) {
  for (std::int64_t i = 0; i < half; ++i) {
    const std::int64_t a = kVariant == 1 ? 2 * i : i;
    const std::int64_t b = kVariant == 1 ? 2 * i + 1 : i + half;
    const float c = narrow(cos[i], 3);
    float s = narrow(sin[i], 3);
    if (kVariant == 0) s = -s;
    if (kVariant == 4) s = std::copysign(std::sqrt(std::fmax(1 - c * c, 0.0f)), s);
    const float first = x[a].to_float();
    const float second = x[b].to_float();
    out[a] = bf16::from_float(narrow(first * c, 2) - narrow(second * s, 2));
    out[b] = bf16::from_float(narrow(second * c, 2) + narrow(first * s, 2));
    if (kVariant == 5) out[b] = x[b];
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [tokens, heads, kv_heads, half, positions] = args->dims;
  for (std::int64_t t = 0; t < tokens; ++t) {
    std::int64_t position = args->position[t];
    if (kVariant == 6 && position + 1 < positions) ++position;
    const float* cos = args->cos + position * half;
    const float* sin = args->sin + position * half;
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
