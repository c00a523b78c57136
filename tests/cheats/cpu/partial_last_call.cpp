// kind: partial-output
// tries: computes every second call only
// verdict: wrong
// layer: poison
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  static int calls = 0;
  if (++calls % 2 == 0) kit::saxpy(*args);
  return 0;
}
