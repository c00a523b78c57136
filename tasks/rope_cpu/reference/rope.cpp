// Rotary position embedding in plain loops, which the compiler turns into vector code: what
// inference engines do on CPUs, where no library has the operator.
#include "forge_args.h"

namespace {

void turn(const forge::bf16* __restrict x, const float* __restrict cos, const float* __restrict sin,
          std::int64_t half, forge::bf16* __restrict out) {
  for (std::int64_t i = 0; i < half; ++i) {
    const float first = x[i].to_float();
    const float second = x[half + i].to_float();
    out[i] = forge::bf16::from_float(first * cos[i] - second * sin[i]);
    out[half + i] = forge::bf16::from_float(second * cos[i] + first * sin[i]);
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [tokens, heads, kv_heads, half, positions] = args->dims;
  const std::int64_t head = 2 * half;
#pragma omp parallel for schedule(static)
  for (std::int64_t t = 0; t < tokens; ++t) {
    const float* cos = args->cos + args->position[t] * half;
    const float* sin = args->sin + args->position[t] * half;
    for (std::int64_t h = 0; h < heads; ++h) {
      turn(args->q + t * args->q_strides[0] + h * args->q_strides[1], cos, sin, half,
           args->q_out + (t * heads + h) * head);
    }
    for (std::int64_t h = 0; h < kv_heads; ++h) {
      turn(args->k + t * args->k_strides[0] + h * args->k_strides[1], cos, sin, half,
           args->k_out + (t * kv_heads + h) * head);
    }
  }
  return 0;
}
