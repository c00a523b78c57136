// kind: read-answer-from-disk
// tries: opens the expected values of the oracle's cache
// verdict: refused
// layer: system-call filter
// words: system call openat
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  std::fopen("../cache/cases/expected_y.bin", "r");
  return 0;
}
