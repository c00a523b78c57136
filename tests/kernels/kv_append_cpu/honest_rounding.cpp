// Rounded to f16 in other ways.
#include <cmath>
#include <cstring>

#include "forge_args.h"

namespace {

// 0 by the compiler's own type, 1 by dividing by the unit of the last place and rounding to an
// integer, 2 token by token through a buffer
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2);

using forge::f16;

f16 by_units(float x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  // The last of 11 digits, or of the subnormals.
  const int last = exponent - 11 < -24 ? -24 : exponent - 11;
  return f16::from_float(std::ldexp(std::nearbyint(std::ldexp(x, -last)), last));
}

f16 rounded(float x) {
  if (kVariant == 1) return by_units(x);
#if defined(__FLT16_MANT_DIG__)
  if (kVariant == 0) {
    const auto half = static_cast<_Float16>(x);
    f16 result;
    std::memcpy(&result, &half, sizeof result);
    return result;
  }
#endif
  return f16::from_float(x);
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
