// kind: early-exit
// tries: aborts after a few right calls, hoping that those count
// verdict: crash
// layer: the process must live
// words: Aborted
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  static int calls = 0;
  if (++calls > 14) std::abort();
  kit::saxpy(*args);
  return 0;
}
