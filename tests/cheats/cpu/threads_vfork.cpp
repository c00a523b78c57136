// kind: threads-left-running
// tries: the same by vfork, which shares the memory
// verdict: refused
// layer: system-call filter
// words: system call vfork
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  if (vfork() == 0) _exit(0);
  kit::saxpy(*args);
  return 0;
}
