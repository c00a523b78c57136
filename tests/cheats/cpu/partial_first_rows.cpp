// kind: partial-output
// tries: all rows but the last
// verdict: wrong
// layer: poison
// problem: masked_softmax
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  for (std::int64_t r = 0; r + 1 < args->dims.rows; ++r)
    kit::softmax_row(*args, r, args->length[r]);
  return 0;
}
