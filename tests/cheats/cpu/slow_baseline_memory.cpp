// kind: slow-baseline
// tries: takes all memory, so that the reference swaps
// verdict: crash
// layer: resource limits
// words: null pointer
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  while (true) std::memset(std::malloc(64 << 20), 1, 1);
  kit::saxpy(*args);
  return 0;
}
