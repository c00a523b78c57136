// kind: copy-input
// tries: the larger of the two inputs instead of the sum
// verdict: wrong
// layer: every output verified
// words: elements of y are wrong
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  std::memcpy(args->y, args->x, static_cast<std::size_t>(args->dims.n) * sizeof(float));
  return 0;
}
