// kind: peek-memory
// tries: reads the memory of the process with the number before its own
// verdict: refused
// layer: system-call filter
// words: system call process_vm_readv
#include <sys/uio.h>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  const iovec ours{args->y, sizeof(float)};
  const iovec theirs{args->y, sizeof(float)};
  process_vm_readv(getpid() - 1, &ours, 1, &theirs, 1, 0);
  return 0;
}
