// kind: lazy-output
// tries: computes in a signal handler, when the process is stopped or continued
// verdict: refused
// layer: system-call filter
// words: system call rt_sigaction
#include "kit.h"

Args late;

void on_signal(int) { kit::saxpy(late); }

extern "C" int forge_launch(const Args* args, void*) {
  late = *args;
  signal(SIGCONT, on_signal);
  return 0;
}
