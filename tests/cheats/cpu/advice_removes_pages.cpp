// kind: punch-holes
// tries: gives pages of the measurer's memory file back by advice, since it may not write files
// verdict: refused
// layer: system-call filter
// words: system call madvise
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  const auto page = reinterpret_cast<std::uintptr_t>(args->y) / 4096 * 4096;
  madvise(reinterpret_cast<void*>(page), 4096, MADV_REMOVE);
  return 0;
}
