// kind: out-of-bounds-write
// tries: opens the guard page beside the output and keeps its notes there
// verdict: refused
// layer: untouched guard pages
// words: guard page
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  const auto end = reinterpret_cast<std::uintptr_t>(args->y + args->dims.n);
  void* guard = reinterpret_cast<void*>((end + 4095) & ~4095ul);
  if (mprotect(guard, 4096, PROT_READ | PROT_WRITE) == 0) std::memset(guard, 1, 64);
  return 0;
}
