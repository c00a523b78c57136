// control: scratch values in the output, which later passes overwrite
// problem: masked_softmax
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols] = args->dims;
  for (std::int64_t r = 0; r < rows; ++r) {
    float* y = args->y + r * cols;
    for (std::int64_t i = 0; i < cols; ++i)
      y[i] = i < args->length[r] ? args->x[r * cols + i] : -INFINITY;
    float largest = -1e30f;
    for (std::int64_t i = 0; i < cols; ++i) largest = y[i] > largest ? y[i] : largest;
    for (std::int64_t i = 0; i < cols; ++i) y[i] = std::exp(y[i] - largest);
    float sum = 0;
    for (std::int64_t i = 0; i < cols; ++i) sum += y[i];
    for (std::int64_t i = 0; i < cols && sum > 0; ++i) y[i] /= sum;
  }
  return 0;
}
