// kind: shape-underflow
// tries: does nothing on the smaller shape, so that its ratio lifts the mean
// verdict: wrong
// layer: every output verified
// words: shape 'odd'
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  if (args->dims.n > 2000) kit::saxpy(*args);
  return 0;
}
