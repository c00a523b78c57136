// control: memory that is taken once and used again by later calls, without its content
// problem: masked_softmax
#include <vector>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  static std::vector<float> row;
  const auto [rows, cols] = args->dims;
  row.resize(static_cast<std::size_t>(cols));
  for (std::int64_t r = 0; r < rows; ++r) {
    kit::softmax_row(*args, r, args->length[r]);
    std::memcpy(row.data(), args->y + r * cols, static_cast<std::size_t>(cols) * sizeof(float));
    std::memcpy(args->y + r * cols, row.data(), static_cast<std::size_t>(cols) * sizeof(float));
  }
  return 0;
}
