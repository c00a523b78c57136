// kind: threads-left-running
// tries: forks a process that goes on when the kernel's is stopped
// verdict: refused
// layer: system-call filter
// words: system call clone
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  if (fork() == 0) {
    kit::saxpy(*args);
    _exit(0);
  }
  return 0;
}
