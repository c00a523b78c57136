// kind: lazy-output
// tries: asks the kernel to be told when the output is read
// verdict: refused
// layer: system-call filter
// words: system call userfaultfd
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  syscall(SYS_userfaultfd, 0);
  return 0;
}
