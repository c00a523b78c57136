// kind: read-answer-from-disk
// tries: reads whatever descriptor was left open
// verdict: refused
// layer: system-call filter
// words: system call pread64
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  for (int fd = 3; fd < 128; ++fd) {
    if (pread(fd, args->y, sizeof(float), 0) > 0) break;
  }
  return 0;
}
