// kind: modify-input
// tries: punches holes into the inputs' memory, which the measurer would read as zeros
// verdict: refused
// layer: system-call filter
// words: system call madvise
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  const auto page = reinterpret_cast<std::uintptr_t>(args->x) & ~4095ul;
  madvise(reinterpret_cast<void*>(page), 4096, MADV_REMOVE);
  madvise(reinterpret_cast<void*>(page), 4096, MADV_DONTNEED);
  std::memcpy(args->y, args->z, static_cast<std::size_t>(args->dims.n) * sizeof(float));
  return 0;
}
