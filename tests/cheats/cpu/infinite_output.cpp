// kind: nan-output
// tries: infinities of the right sign where values are large
// verdict: wrong
// layer: every output verified
// words: is inf
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  for (std::int64_t i = 0; i < args->dims.n; ++i) {
    if (args->y[i] > 1e6f) args->y[i] = INFINITY;
  }
  return 0;
}
