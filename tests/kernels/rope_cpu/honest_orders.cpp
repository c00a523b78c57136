// Heads and tokens are gone through in other orders, in vectors of other widths.
#include "forge_args.h"

namespace {

// 0 head by head, tokens from the end; 1 k before q; 2 by angles, 4 at a time; 3 by angles, 32 at a
// time
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3);

using forge::bf16;

struct Heads {
  const bf16* from;
  const std::int64_t* strides;
  bf16* to;
  std::int64_t count;
};

void turn(const bf16* x, float cos, float sin, std::int64_t half, bf16* out) {
  const float first = x[0].to_float();
  const float second = x[half].to_float();
  out[0] = bf16::from_float(first * cos - second * sin);
  out[half] = bf16::from_float(first * sin + second * cos);
}

void turn_angles(const Args& args, const Heads& heads, std::int64_t t, std::int64_t h,
                 std::int64_t begin, std::int64_t end) {
  const std::int64_t half = args.dims.half;
  const std::int64_t at = args.position[t] * half;
  const bf16* x = heads.from + t * heads.strides[0] + h * heads.strides[1];
  bf16* out = heads.to + (t * heads.count + h) * 2 * half;
  for (std::int64_t i = begin; i < end; ++i) {
    turn(x + i, args.cos[at + i], args.sin[at + i], half, out + i);
  }
}

void turn_all(const Args& args, const Heads& heads) {
  const std::int64_t half = args.dims.half;
  const std::int64_t width = kVariant == 2 ? 4 : kVariant == 3 ? 32 : half;
  for (std::int64_t h = 0; h < heads.count; ++h) {
    for (std::int64_t begin = 0; begin < half; begin += width) {
      const std::int64_t end = begin + width < half ? begin + width : half;
      for (std::int64_t t = args.dims.tokens - 1; t >= 0; --t) {
        turn_angles(args, heads, t, h, begin, end);
      }
    }
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const Heads q{args->q, args->q_strides, args->q_out, args->dims.heads};
  const Heads k{args->k, args->k_strides, args->k_out, args->dims.kv_heads};
  if (kVariant != 1) turn_all(*args, q);
  turn_all(*args, k);
  if (kVariant == 1) turn_all(*args, q);
  return 0;
}
