// kind: race
// tries: as a lost update would, drops one element in one call of thirty
// verdict: wrong
// layer: every output verified
// words: elements of y are wrong
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  static int calls = 0;
  kit::saxpy(*args);
  if (++calls % 30 == 29) args->y[args->dims.n / 3] -= args->a * args->x[args->dims.n / 3] + 1;
  return 0;
}
