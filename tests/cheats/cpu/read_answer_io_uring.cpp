// kind: read-answer-from-disk
// tries: opens files through io_uring, past filters that look at open
// verdict: refused
// layer: system-call filter
// words: system call io_uring_setup
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  char parameters[256] = {};
  syscall(425, 8, parameters);
  return 0;
}
