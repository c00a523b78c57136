// kind: stale-output
// tries: works once for each buffer, and leaves there what it wrote the first time
// verdict: wrong
// layer: poison
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  static const float* seen[256];
  static int count = 0;
  for (int i = 0; i < count; ++i) {
    if (seen[i] == args->y) return 0;
  }
  if (count < 256) seen[count++] = args->y;
  kit::saxpy(*args);
  return 0;
}
