// kind: write-cache-to-disk
// tries: keeps results in shared memory that outlives the process
// verdict: refused
// layer: system-call filter
// words: system call shmget
#include <sys/shm.h>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  shmget(0x464b, 1 << 20, IPC_CREAT | 0600);
  return 0;
}
