// Right but for one place.
#include <algorithm>
#include <cmath>

#include "forge_args.h"

namespace {

// 0 the last row is not written, 1 one row has its neighbour's target, 2 one loss is 0.1 % off, 3
// two rows are swapped, 4 one lse is not written, 5 ignored rows are skipped
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5);

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, classes] = args->dims;
  const std::int64_t middle = rows / 2;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (kVariant == 0 && i == rows - 1) break;
    const std::int64_t target = args->target[i];
    const bool ignored = target == args->ignored;
    if (kVariant == 5 && ignored) continue;
    const float* x = args->x + i * classes;
    float largest = x[0];
    for (std::int64_t j = 1; j < classes; ++j) largest = std::fmax(largest, x[j]);
    double sum = 0;
    for (std::int64_t j = 0; j < classes; ++j) sum += std::exp(double{x[j]} - largest);
    std::int64_t picked = ignored ? 0 : target;
    if (kVariant == 1 && i == middle && i > 0)
      picked = std::max<std::int64_t>(args->target[i - 1], 0);
    const bool swapped = kVariant == 3 && rows > 1 && (i == 0 || i == rows - 1);
    const std::int64_t to = swapped ? rows - 1 - i : i;
    if (kVariant != 4 || i != middle) args->lse[to] = static_cast<float>(largest + std::log(sum));
    const double loss = std::log(sum) + (double{largest} - x[picked]);
    args->loss[to] = ignored ? 0 : static_cast<float>(loss);
    if (kVariant == 2 && i == middle) args->loss[to] *= 1.001f;
  }
  return 0;
}
