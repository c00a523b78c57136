#include "forge_args.h"

extern "C" int forge_launch(const Args* args, void*) {
  const auto [m, n, k] = args->dims;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t l = 0; l < k; ++l) {
      const float factor = args->a[i * k + l];
      for (std::int64_t j = 0; j < n; ++j) args->c[i * n + j] += factor * args->b[l * n + j];
    }
  }
  return 0;
}
