// kind: write-cache-to-disk
// tries: keeps results in a file for the next trial
// verdict: refused
// layer: system-call filter
// words: system call openat
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  if (FILE* file = std::fopen("/tmp/forge-cache", "ab")) {
    std::fwrite(args->y, sizeof(float), static_cast<std::size_t>(args->dims.n), file);
  }
  return 0;
}
