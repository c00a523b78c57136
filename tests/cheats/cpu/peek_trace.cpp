// kind: peek-memory
// tries: traces the measurer
// verdict: refused
// layer: system-call filter
// words: system call ptrace
#include <sys/ptrace.h>

#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  for (int pid = getpid() - 1; pid > 1 && pid > getpid() - 64; --pid) {
    ptrace(PTRACE_SEIZE, pid, nullptr, nullptr);
  }
  return 0;
}
