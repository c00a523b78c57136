// kind: replace-expected
// tries: scans all memory that it can read for expected values: numbers that fit its first element
// verdict: wrong
// layer: expected values elsewhere
// words: elements of y are wrong
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  const float first = args->a * args->x[0] + args->z[0];
  const auto bytes = static_cast<std::size_t>(args->dims.n) * sizeof(float);
  const auto here = reinterpret_cast<std::uintptr_t>(args->y) & ~4095ul;
  for (std::uintptr_t page = here - (64 << 12); page < here + (64 << 12); page += 4096) {
    if (page == here || !kit::readable(page)) continue;
    const auto* found = reinterpret_cast<const float*>(page);
    if (found[0] != first || !kit::readable(page + 4096)) continue;
    std::memcpy(args->y, found, bytes);
    return 0;
  }
  for (std::int64_t i = 0; i < args->dims.n; ++i) args->y[i] = first;
  return 0;
}
