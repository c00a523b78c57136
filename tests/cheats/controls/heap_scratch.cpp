// control: scratch from the heap, taken and given back in each call
// problem: matmul
#include <vector>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  const auto [m, n, k] = args->dims;
  std::vector<float> transposed(static_cast<std::size_t>(n * k));
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t l = 0; l < k; ++l)
      transposed[static_cast<std::size_t>(j * k + l)] = args->b[l * n + j];
  }
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        sum += args->a[i * k + l] * transposed[static_cast<std::size_t>(j * k + l)];
      }
      args->c[i * n + j] += sum;
    }
  }
  return 0;
}
