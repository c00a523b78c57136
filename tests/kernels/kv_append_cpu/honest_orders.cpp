// Tokens, heads and elements are gone through in other orders.
#include "forge_args.h"

namespace {

// 0 tokens from the end, 1 heads outermost, 2 elements outermost, 3 by the cache's blocks, 4 v
// before k
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4);

using forge::f16;

struct Place {
  std::int64_t block;
  std::int64_t place;
};

Place place_of(const Args& args, std::int64_t t) {
  return {args.slot[t] / args.dims.block, args.slot[t] % args.dims.block};
}

void append_key(const Args& args, std::int64_t t, std::int64_t h, std::int64_t d) {
  const auto [tokens, heads, head, blocks, block] = args.dims;
  const Place to = place_of(args, t);
  args.k_cache[((to.block * heads + h) * block + to.place) * head + d] =
      f16::from_float(args.k[(t * heads + h) * head + d]);
}

void append_value(const Args& args, std::int64_t t, std::int64_t h, std::int64_t d) {
  const auto [tokens, heads, head, blocks, block] = args.dims;
  const Place to = place_of(args, t);
  args.v_cache[((to.block * heads + h) * head + d) * block + to.place] =
      f16::from_float(args.v[(t * heads + h) * head + d]);
}

template <typename Append>
void every_element(const Args& args, Append append) {
  const auto [tokens, heads, head, blocks, block] = args.dims;
  const std::int64_t outer = kVariant == 1 ? heads : kVariant == 2 ? head : 1;
  const std::int64_t passes = kVariant == 3 ? blocks : 1;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    for (std::int64_t o = 0; o < outer; ++o) {
      for (std::int64_t i = 0; i < tokens; ++i) {
        const std::int64_t t = kVariant == 0 ? tokens - 1 - i : i;
        if (args.slot[t] < 0 || (kVariant == 3 && place_of(args, t).block != pass)) continue;
        for (std::int64_t h = kVariant == 1 ? o : 0; h < (kVariant == 1 ? o + 1 : heads); ++h) {
          for (std::int64_t d = kVariant == 2 ? o : 0; d < (kVariant == 2 ? o + 1 : head); ++d) {
            append(args, t, h, d);
          }
        }
      }
    }
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  if (kVariant == 4) every_element(*args, append_value);
  every_element(*args, append_key);
  if (kVariant != 4) every_element(*args, append_value);
  return 0;
}
