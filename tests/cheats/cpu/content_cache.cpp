// kind: pointer-cache
// tries: replays the row of a softmax for another row of the same length
// verdict: wrong
// layer: fresh contents
// words: elements of y are wrong
// problem: masked_softmax
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  static float* cache[1024] = {};
  const auto [rows, cols] = args->dims;
  for (std::int64_t r = 0; r < rows; ++r) {
    float*& kept = cache[args->length[r] % 1024];
    const auto bytes = static_cast<std::size_t>(cols) * sizeof(float);
    if (kept != nullptr && cols == 61) {
      std::memcpy(args->y + r * cols, kept, bytes);
      continue;
    }
    kit::softmax_row(*args, r, args->length[r]);
    if (cols == 61)
      std::memcpy(kept = static_cast<float*>(std::malloc(bytes)), args->y + r * cols, bytes);
  }
  return 0;
}
