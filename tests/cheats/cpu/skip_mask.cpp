// kind: skip-invisible-work
// tries: takes every row for full
// verdict: wrong
// layer: input groups
// words: group 'ragged'
// problem: masked_softmax
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  for (std::int64_t r = 0; r < args->dims.rows; ++r) kit::softmax_row(*args, r, args->dims.cols);
  return 0;
}
