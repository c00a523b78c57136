// Tokens go to another place, or more than they is written.
#include "forge_args.h"

namespace {

// 0 the last token is not written, 1 a token without a slot goes to the first one, 2 v lies as k
// does, 3 blocks are taken to have room for 16, 4 the places after a token are cleared, 5 one
// element of v is not written, 6 the last head is not, 7 the place after it
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6, 7);

using forge::f16;

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [tokens, heads, head, blocks, block] = args->dims;
  const std::int64_t room = kVariant == 3 ? 16 : block;
  for (std::int64_t t = 0; t < (kVariant == 0 ? tokens - 1 : tokens); ++t) {
    std::int64_t slot = args->slot[t];
    if (slot < 0 && kVariant == 1) slot = 0;
    if (slot < 0) continue;
    const std::int64_t number = slot / room % blocks;
    std::int64_t place = slot % room % block;
    if (kVariant == 7) place = (place + 1) % block;
    for (std::int64_t h = 0; h < (kVariant == 6 ? heads - 1 : heads); ++h) {
      const std::int64_t from = (t * heads + h) * head;
      f16* k = args->k_cache + ((number * heads + h) * block + place) * head;
      f16* v = args->v_cache + (number * heads + h) * head * block;
      for (std::int64_t d = 0; d < head; ++d) {
        k[d] = f16::from_float(args->k[from + d]);
        if (kVariant == 5 && d == head - 1 && t == tokens / 2) continue;
        v[kVariant == 2 ? place * head + d : d * block + place] =
            f16::from_float(args->v[from + d]);
      }
      for (std::int64_t later = place + 1; kVariant == 4 && later < block; ++later) {
        for (std::int64_t d = 0; d < head; ++d) v[d * block + later] = f16{0};
      }
    }
  }
  return 0;
}
