// kind: slow-baseline
// tries: a thread that loads the memory bus for good
// verdict: refused
// layer: rest between calls
// words: still at work
#include "kit.h"

void* hammer(void*) {
  static volatile char block[16 << 20];
  while (true) {
    for (std::size_t i = 0; i < sizeof block; i += 64) block[i] = block[i] + 1;
  }
}

extern "C" int forge_launch(const Args* args, void*) {
  static const bool started = (kit::start(hammer, nullptr), true);
  if (started) kit::saxpy(*args);
  return 0;
}
