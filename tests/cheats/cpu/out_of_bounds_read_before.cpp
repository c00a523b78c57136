// kind: out-of-bounds-read
// tries: reads before the first element
// verdict: crash
// layer: guard pages
// words: when it read from
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  volatile float sum = 0;
  for (std::int64_t i = -1; i >= -1040; --i) sum = sum + args->z[i];
  return 0;
}
