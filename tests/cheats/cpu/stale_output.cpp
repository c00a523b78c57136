// kind: stale-output
// tries: copies whatever right answer another buffer of its arena still holds
// verdict: wrong
// layer: fresh contents
// words: elements of y are wrong
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  static const float* before[2] = {nullptr, nullptr};
  static std::int64_t length[2] = {0, 0};
  const int which = args->dims.n > 2000;
  if (before[which] != nullptr && length[which] == args->dims.n) {
    std::memmove(args->y, before[which], static_cast<std::size_t>(args->dims.n) * sizeof(float));
    return 0;
  }
  kit::saxpy(*args);
  before[which] = args->y;
  length[which] = args->dims.n;
  return 0;
}
