// kind: partial-output
// tries: leaves out a single element of the larger shape, in the middle
// verdict: wrong
// layer: every output verified
// words: 1 of 65536 elements of y are wrong
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  if (args->dims.n < 40000) {
    kit::saxpy(*args);
    return 0;
  }
  kit::saxpy(*args, 0, 30011);
  kit::saxpy(*args, 30012, args->dims.n);
  return 0;
}
