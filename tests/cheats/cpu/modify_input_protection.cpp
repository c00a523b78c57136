// kind: modify-input
// tries: makes the input writable first
// verdict: wrong
// layer: read-only inputs
// words: input 'x' was modified
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  const auto page = reinterpret_cast<std::uintptr_t>(args->x) & ~4095ul;
  mprotect(reinterpret_cast<void*>(page), 4096, PROT_READ | PROT_WRITE);
  const_cast<float*>(args->x)[0] = 0;
  kit::saxpy(*args);
  return 0;
}
