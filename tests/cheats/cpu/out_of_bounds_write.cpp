// kind: out-of-bounds-write
// tries: writes whole vectors at the tail
// verdict: refused
// layer: canaries
// words: wrote outside 'y'
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  for (std::int64_t i = args->dims.n; i % 8 != 0; ++i) args->y[i] = 0;
  return 0;
}
