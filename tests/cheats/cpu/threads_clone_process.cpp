// kind: threads-left-running
// tries: a process that shares memory but not the thread group, so that a stop misses it
// verdict: refused
// layer: system-call filter
// words: system call clone
#include <sched.h>

#include "kit.h"

int body(void*) { return 0; }

extern "C" int forge_launch(const Args* args, void*) {
  alignas(16) static char stack[65536];
  clone(body, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND, nullptr);
  kit::saxpy(*args);
  return 0;
}
