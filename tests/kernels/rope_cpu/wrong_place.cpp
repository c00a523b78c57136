// Right but for one place.
#include "forge_args.h"

namespace {

// 0 the last token is not written, 1 the last head of k is not, 2 one element is 5 % off, 3 the
// last point of each head is not turned, 4 q is read as if it were contiguous, 5 the last position
// counts as the first, 6 k is copied
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6);

using forge::bf16;

void turn(const bf16* x, const float* cos, const float* sin, std::int64_t half, bf16* out) {
  for (std::int64_t i = 0; i < half; ++i) {
    const bool is_left = kVariant == 3 && i == half - 1;
    const float c = is_left ? 1 : cos[i];
    const float s = is_left ? 0 : sin[i];
    const float first = x[i].to_float();
    const float second = x[half + i].to_float();
    out[i] = bf16::from_float(first * c - second * s);
    out[half + i] = bf16::from_float(second * c + first * s);
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [tokens, heads, kv_heads, half, positions] = args->dims;
  const std::int64_t head = 2 * half;
  for (std::int64_t t = 0; t < tokens; ++t) {
    if (kVariant == 0 && t == tokens - 1) break;
    std::int64_t position = args->position[t];
    if (kVariant == 5 && position == positions - 1) position = 0;
    const float* cos = args->cos + position * half;
    const float* sin = args->sin + position * half;
    const std::int64_t row = kVariant == 4 ? heads * head : args->q_strides[0];
    for (std::int64_t h = 0; h < heads; ++h) {
      turn(args->q + t * row + h * head, cos, sin, half, args->q_out + (t * heads + h) * head);
    }
    for (std::int64_t h = 0; h < (kVariant == 1 ? kv_heads - 1 : kv_heads); ++h) {
      const bf16* k = args->k + t * args->k_strides[0] + h * head;
      bf16* out = args->k_out + (t * kv_heads + h) * head;
      turn(k, cos, sin, half, out);
      for (std::int64_t i = 0; kVariant == 6 && i < head; ++i) out[i] = k[i];
    }
  }
  if (kVariant == 2) {
    bf16& one = args->q_out[tokens / 2 * heads * head + half / 2];
    one = bf16::from_float(one.to_float() * 1.05f);
  }
  return 0;
}
