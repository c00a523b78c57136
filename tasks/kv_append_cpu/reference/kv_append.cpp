// Appending to a paged cache in plain loops: what inference engines do on CPUs, where no library
// has the operator.
#include "forge_args.h"

extern "C" int forge_launch(const Args* args, void*) {
  const auto [tokens, heads, head, blocks, block] = args->dims;
#pragma omp parallel for schedule(static)
  for (std::int64_t t = 0; t < tokens; ++t) {
    const std::int64_t slot = args->slot[t];
    if (slot < 0) continue;
    const std::int64_t number = slot / block;
    const std::int64_t place = slot % block;
    for (std::int64_t h = 0; h < heads; ++h) {
      const float* __restrict k = args->k + (t * heads + h) * head;
      const float* __restrict v = args->v + (t * heads + h) * head;
      forge::f16* __restrict k_to = args->k_cache + ((number * heads + h) * block + place) * head;
      forge::f16* __restrict v_to = args->v_cache + (number * heads + h) * head * block + place;
      for (std::int64_t d = 0; d < head; ++d) k_to[d] = forge::f16::from_float(k[d]);
      for (std::int64_t d = 0; d < head; ++d) v_to[d * block] = forge::f16::from_float(v[d]);
    }
  }
  return 0;
}
