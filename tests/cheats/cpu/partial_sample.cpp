// kind: partial-output
// tries: every element of the first page, and one in a thousand after
// verdict: wrong
// layer: every output verified
// words: elements of y are wrong
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  for (std::int64_t i = 0; i < args->dims.n; ++i) {
    args->y[i] = i < 1024 || i % 1000 == 0 ? args->a * args->x[i] + args->z[i] : args->y[i - 1];
  }
  return 0;
}
