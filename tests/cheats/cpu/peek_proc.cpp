// kind: peek-memory
// tries: opens the memory of its own process, to write where it may not
// verdict: refused
// layer: system-call filter
// words: system call openat
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  std::fopen("/proc/self/mem", "r+");
  return 0;
}
