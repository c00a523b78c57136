// How fast outputs are compared with what is expected, beside copying the same bytes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "judge/compare.h"
#include "judge/tolerance.h"

namespace forge {
namespace {

constexpr std::int64_t kRows = 1024;
constexpr std::int64_t kCols = 4096;

struct Output {
  TensorLayout layout;
  std::vector<std::byte> actual;
  std::vector<std::byte> expected;
  RowScales scales;
};

Output make_output(Dtype dtype) {
  Output output;
  output.layout = TensorLayout::contiguous(dtype, {kRows, kCols});
  const Dtype stored = expected_dtype(dtype);
  const auto elements = static_cast<std::size_t>(kRows * kCols);
  output.actual.resize(elements * dtype_bytes(dtype));
  output.expected.resize(elements * dtype_bytes(stored));
  Random random(1);
  for (std::size_t i = 0; i < elements; ++i) {
    const double value = random.normal();
    encode_element(dtype, value, output.actual.data() + i * dtype_bytes(dtype));
    encode_element(stored, value, output.expected.data() + i * dtype_bytes(stored));
  }
  output.scales = row_scales(dtype, output.layout.shape, output.expected);
  return output;
}

// Bytes a second of the fastest of several runs; bytes are those of output and expected values.
template <typename Work>
double rate(const Output& output, Work work) {
  constexpr int kRuns = 15;
  double best_seconds = 1e9;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best_seconds = std::min(best_seconds, took.count());
  }
  return static_cast<double>(output.actual.size() + output.expected.size()) / best_seconds;
}

// Keeps results from being optimised away.
double checksum = 0;

void report(Dtype dtype) {
  const Output output = make_output(dtype);
  std::vector<std::byte> actual(output.actual.size());
  std::vector<std::byte> expected(output.expected.size());
  const double copying = rate(output, [&] {
    std::memcpy(actual.data(), output.actual.data(), actual.size());
    std::memcpy(expected.data(), output.expected.data(), expected.size());
    checksum += static_cast<double>(actual[0]) + static_cast<double>(expected[0]);
  });
  const double comparing = rate(output, [&] {
    checksum += compare_output(output.layout, output.actual.data(), output.expected, output.scales,
                               tolerance_floor(dtype))
                    .worst_error;
  });
  const double scaling = rate(output, [&] {
    const RowScales scales = row_scales(dtype, output.layout.shape, output.expected);
    checksum += static_cast<double>(scales.scale.size());
  });
  fmt::print("{:8} {:9.1f} {:9.1f} {:11.2f} {:11.1f}\n", dtype_name(dtype), comparing / 1e9,
             copying / 1e9, comparing / copying, is_float(dtype) ? scaling / 1e9 : 0.0);
}

}  // namespace
}  // namespace forge

int main() {
  fmt::print("{:8} {:>9} {:>9} {:>11} {:>11}\n", "dtype", "compare", "memcpy", "of memcpy",
             "row scales");
  fmt::print("{:8} {:>9} {:>9} {:>11} {:>11}\n", "", "GB/s", "GB/s", "", "GB/s");
  for (const forge::Dtype dtype : forge::all_dtypes()) forge::report(dtype);
  return forge::checksum < 0 ? 1 : 0;
}
