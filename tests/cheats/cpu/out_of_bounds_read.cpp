// kind: out-of-bounds-read
// tries: reads a vector more than there is
// verdict: crash
// layer: guard pages
// words: past the end of
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  volatile float sum = 0;
  for (std::int64_t i = args->dims.n; i < args->dims.n + 1024 + 16; ++i) sum = sum + args->x[i];
  return 0;
}
