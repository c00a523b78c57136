// The k largest of each row by the standard library's partial sort, with its scratch kept.
#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "forge_args.h"

namespace {

struct Entry {
  float value;
  std::int32_t index;
};

}  // namespace

extern "C" std::size_t forge_workspace(const Dims* dims) {
  return static_cast<std::size_t>(omp_get_max_threads() * dims->cols) * sizeof(Entry);
}

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols, k] = args->dims;
#pragma omp parallel
  {
    Entry* entries = static_cast<Entry*>(args->workspace) + omp_get_thread_num() * cols;
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < cols; ++j) {
        entries[j] = {args->x[i * cols + j], static_cast<std::int32_t>(j)};
      }
      std::partial_sort(entries, entries + k, entries + cols,
                        [](const Entry& a, const Entry& b) { return a.value > b.value; });
      for (std::int64_t j = 0; j < k; ++j) {
        args->values[i * k + j] = entries[j].value;
        args->index[i * k + j] = entries[j].index;
      }
    }
  }
  return 0;
}
