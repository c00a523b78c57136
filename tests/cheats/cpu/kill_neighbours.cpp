// kind: kill-judge
// tries: stops the processes with the numbers before its own
// verdict: refused
// layer: system-call filter
// words: system call tgkill
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  for (int pid = getpid() - 1; pid > getpid() - 64 && pid > 1; --pid) {
    syscall(SYS_tgkill, pid, pid, SIGSTOP);
  }
  return 0;
}
