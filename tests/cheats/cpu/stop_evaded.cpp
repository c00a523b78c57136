// kind: threads-left-running
// tries: a thread that sends its own process the signal to continue, so that it never stops
// verdict: refused
// layer: system-call filter
// words: system call tgkill
#include "kit.h"

void* go_on(void*) {
  while (true) syscall(SYS_tgkill, getpid(), getpid(), SIGCONT);
}

extern "C" int forge_launch(const Args* args, void*) {
  static const bool started = (kit::start(go_on, nullptr), true);
  if (started) kit::saxpy(*args);
  return 0;
}
