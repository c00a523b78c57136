// kind: skip-invisible-work
// tries: whole vectors of eight only
// verdict: wrong
// layer: every output verified
// words: shape 'odd'
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args, 0, args->dims.n / 8 * 8);
  return 0;
}
