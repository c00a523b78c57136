// kind: work-before-the-clock
// tries: computes in a handler of the signal that continues the process
// verdict: refused
// layer: system-call filter
// words: system call rt_sigaction
#include "kit.h"

Args next;

void on_continue(int) { kit::saxpy(next); }

extern "C" int forge_launch(const Args* args, void*) {
  next = *args;
  signal(SIGCONT, on_continue);
  kit::saxpy(*args);
  return 0;
}
