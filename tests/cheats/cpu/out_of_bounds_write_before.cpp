// kind: out-of-bounds-write
// tries: keeps a counter before the first element, where the buffer does not begin its page
// verdict: refused | crash
// layer: canaries | guard pages
// words: 'y'
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  args->y[-1] = 1;
  return 0;
}
