// kind: peek-memory
// tries: attaches the shared memory of other processes
// verdict: refused
// layer: system-call filter
// words: system call shm
#include <sys/shm.h>

#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  for (int id = 0; id < 64; ++id) shmat(id, nullptr, SHM_RDONLY);
  return 0;
}
