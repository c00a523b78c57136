// Right but for one place, or for some lengths only.
#include <cmath>

#include "forge_args.h"

namespace {

// 0 the last segment is not written, 1 a segment's last element does not count, 2 its first does
// not, 3 segments reach one element too far, 4 one element is 1 % off, 5 lengths beyond the last
// whole 8 are left as terms, 6 segments of one element are left out, 7 an empty segment ends the
// work
FORGE_STRUCTURE(int, kVariant, 0, 0, 1, 2, 3, 4, 5, 6, 7);

void softmax(const float* x, std::int64_t n, std::int64_t reach, float factor, float* y) {
  float largest = x[0];
  for (std::int64_t j = 1; j < n; ++j) largest = std::fmax(largest, x[j]);
  const std::int64_t begin = kVariant == 2 && n > 1 ? 1 : 0;
  const std::int64_t end = kVariant == 1 && n > 1 ? n - 1 : reach;
  float sum = 0;
  for (std::int64_t j = begin; j < end; ++j) sum += std::exp(factor * (x[j] - largest));
  const std::int64_t whole = kVariant == 5 ? n / 8 * 8 : n;
  for (std::int64_t j = 0; j < n; ++j) {
    const float term = std::exp(factor * (x[j] - largest));
    y[j] = j < whole ? term / sum : term;
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [segments, total, longest] = args->dims;
  for (std::int64_t s = 0; s < segments; ++s) {
    const std::int64_t begin = args->starts[s];
    const std::int64_t size = args->starts[s + 1] - begin;
    if (kVariant == 7 && size == 0) break;
    if (kVariant == 0 && begin + size == total) break;
    if (size == 0 || (kVariant == 6 && size == 1)) continue;
    const std::int64_t reach = kVariant == 3 && begin + size < total ? size + 1 : size;
    softmax(args->x + begin, size, reach, args->factor, args->y + begin);
  }
  if (kVariant == 4) args->y[total / 2] *= 1.01f;
  return 0;
}
