// Rounded to f16 otherwise than to nearest, ties to even.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 cut off, 1 ties away from zero, 2 by way of bf16, 3 subnormals as 0, 4 what is too large
// becomes the largest, 5 by way of f16 of 10 digits
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5);

using forge::f16;

f16 cut_off(float x) {
  const f16 nearest = f16::from_float(x);
  const bool went_up = std::fabs(nearest.to_float()) > std::fabs(x);
  return went_up ? f16{static_cast<std::uint16_t>(nearest.bits - 1)} : nearest;
}

f16 ties_away(float x) {
  const f16 below = cut_off(x);
  const f16 above{static_cast<std::uint16_t>(below.bits + 1)};
  const float middle = (std::fabs(below.to_float()) + std::fabs(above.to_float())) / 2;
  return std::fabs(x) >= middle ? above : below;
}

f16 rounded(float x) {
  switch (kVariant) {
    case 0:
      return cut_off(x);
    case 1:
      return std::fabs(x) < 60000 ? ties_away(x) : f16::from_float(x);
    case 2:
      return f16::from_float(forge::bf16::from_float(x).to_float());
    case 3:
      return std::fabs(x) < 0x1p-14f ? f16{0} : f16::from_float(x);
    case 4:
      return f16::from_float(std::fmin(std::fmax(x, -65504.0f), 65504.0f));
    default: {
      f16 result = f16::from_float(x);
      result.bits &= 0xfffeu;
      return result;
    }
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [tokens, heads, head, blocks, block] = args->dims;
  for (std::int64_t t = 0; t < tokens; ++t) {
    if (args->slot[t] < 0) continue;
    const std::int64_t number = args->slot[t] / block;
    const std::int64_t place = args->slot[t] % block;
    for (std::int64_t h = 0; h < heads; ++h) {
      const std::int64_t from = (t * heads + h) * head;
      f16* k = args->k_cache + ((number * heads + h) * block + place) * head;
      f16* v = args->v_cache + (number * heads + h) * head * block + place;
      for (std::int64_t d = 0; d < head; ++d) {
        k[d] = rounded(args->k[from + d]);
        v[d * block] = rounded(args->v[from + d]);
      }
    }
  }
  return 0;
}
