// A kernel of known work: PLANTED_PERMILLE thousandths of it are done twice, with the same result.
// The variants differ in that number alone; PLANTED_TAG makes two of equal work differ as
// artefacts.
#include <cmath>

#include "forge_args.h"

extern "C" const int planted_tag = PLANTED_TAG;

// Neither cloned for constant arguments nor inlined: all variants run the same instructions. No
// inner branch, whose prediction would depend on the call before, and no vectors, so that the time
// is that of arithmetic.
[[gnu::noipa, gnu::optimize("no-tree-vectorize")]] static void work(const float* x, float* y,
                                                                    long n) {
  for (long i = 0; i < n; ++i) {
    float value = x[i];
#pragma GCC unroll 24
    for (int step = 0; step < 24; ++step) value = std::fma(value, 0.75f, 0.125f);
    y[i] = value;
  }
}

// Also called by sequential.cc, which knows nothing of Args.
extern "C" [[gnu::noipa]] void planted(const float* x, float* y, long n) {
  work(x, y, n);
  if (PLANTED_PERMILLE > 0) work(x, y, n * PLANTED_PERMILLE / 1000);
}

extern "C" int forge_launch(const Args* args, void*) {
  planted(args->x, args->y, args->dims.n);
  return 0;
}
