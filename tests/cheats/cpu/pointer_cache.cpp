// kind: pointer-cache
// tries: replays the result that it computed for the same addresses
// verdict: wrong
// layer: fresh contents
// words: elements of y are wrong
#include "kit.h"

struct Entry {
  const float* x;
  float* result;
};

extern "C" int forge_launch(const Args* args, void*) {
  static Entry entries[256];
  static int count = 0;
  const auto bytes = static_cast<std::size_t>(args->dims.n) * sizeof(float);
  for (int i = 0; i < count; ++i) {
    if (entries[i].x != args->x) continue;
    std::memcpy(args->y, entries[i].result, bytes);
    return 0;
  }
  kit::saxpy(*args);
  if (count == 256) return 0;
  entries[count] = {args->x, static_cast<float*>(std::malloc(bytes))};
  if (entries[count].result != nullptr) std::memcpy(entries[count++].result, args->y, bytes);
  return 0;
}
