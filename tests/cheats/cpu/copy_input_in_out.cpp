// kind: copy-input
// tries: leaves the in-out as it came
// verdict: wrong
// layer: every output verified
// words: elements of c are wrong
// problem: matmul
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) { return 0; }
