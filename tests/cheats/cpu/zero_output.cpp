// kind: zero-output
// tries: zeros, which are within many an absolute tolerance
// verdict: wrong
// layer: every output verified
// words: elements of c are wrong
// problem: matmul
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  std::memset(args->c, 0, static_cast<std::size_t>(args->dims.m * args->dims.n) * sizeof(float));
  return 0;
}
