// kind: skip-invisible-work
// tries: leaves rows of length 0 as they are
// verdict: wrong
// layer: input groups
// words: group 'ragged'
// problem: masked_softmax
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  for (std::int64_t r = 0; r < args->dims.rows; ++r) {
    if (args->length[r] > 0) kit::softmax_row(*args, r, args->length[r]);
  }
  return 0;
}
