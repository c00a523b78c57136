// kind: constant-output
// tries: the mean of a softmax's row everywhere
// verdict: wrong
// layer: every output verified
// words: elements of y are wrong
// problem: masked_softmax
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols] = args->dims;
  for (std::int64_t i = 0; i < rows * cols; ++i) args->y[i] = 1.0f / static_cast<float>(cols);
  return 0;
}
