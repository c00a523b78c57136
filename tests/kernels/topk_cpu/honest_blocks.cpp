// Each block of a row gives its largest, and the largest of these are chosen.
#include <algorithm>
#include <vector>

#include "forge_args.h"

namespace {

FORGE_STRUCTURE(int, kVariant, 16, 16, 100, 1024);  // elements in a block

struct Entry {
  float value;
  std::int64_t index;
};

bool is_larger(const Entry& a, const Entry& b) { return a.value > b.value; }

void keep_largest(std::vector<Entry>& entries, std::int64_t k) {
  std::sort(entries.begin(), entries.end(), is_larger);
  if (static_cast<std::int64_t>(entries.size()) > k) {
    entries.erase(entries.begin() + k, entries.end());
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols, k] = args->dims;
  for (std::int64_t i = 0; i < rows; ++i) {
    const float* x = args->x + i * cols;
    std::vector<Entry> best;
    for (std::int64_t begin = 0; begin < cols; begin += kVariant) {
      std::vector<Entry> block;
      for (std::int64_t j = begin; j < cols && j < begin + kVariant; ++j)
        block.push_back({x[j], j});
      keep_largest(block, k);
      best.insert(best.end(), block.begin(), block.end());
      keep_largest(best, k);
    }
    for (std::int64_t j = 0; j < k; ++j) {
      args->values[i * k + j] = best[static_cast<std::size_t>(j)].value;
      args->index[i * k + j] = best[static_cast<std::size_t>(j)].index;
    }
  }
  return 0;
}
