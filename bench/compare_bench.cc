// How fast outputs are compared with what is expected, beside copying the same bytes.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
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

std::int64_t bytes_of(const Output& output) {
  return static_cast<std::int64_t>(output.actual.size() + output.expected.size());
}

void compare(benchmark::State& state, Dtype dtype) {
  const Output output = make_output(dtype);
  for (auto _ : state) {
    benchmark::DoNotOptimize(compare_output(output.layout, output.actual.data(), output.expected,
                                            output.scales, tolerance_floor(dtype)));
  }
  state.SetBytesProcessed(state.iterations() * bytes_of(output));
}

void scales(benchmark::State& state, Dtype dtype) {
  const Output output = make_output(dtype);
  for (auto _ : state) {
    benchmark::DoNotOptimize(row_scales(dtype, output.layout.shape, output.expected));
  }
  state.SetBytesProcessed(state.iterations() * bytes_of(output));
}

void copy(benchmark::State& state, Dtype dtype) {
  const Output output = make_output(dtype);
  std::vector<std::byte> actual(output.actual.size());
  std::vector<std::byte> expected(output.expected.size());
  for (auto _ : state) {
    std::memcpy(actual.data(), output.actual.data(), actual.size());
    std::memcpy(expected.data(), output.expected.data(), expected.size());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * bytes_of(output));
}

void register_all() {
  for (const Dtype dtype : all_dtypes()) {
    const std::string name(dtype_name(dtype));
    benchmark::RegisterBenchmark(("compare/" + name).c_str(), compare, dtype);
    benchmark::RegisterBenchmark(("memcpy/" + name).c_str(), copy, dtype);
    if (is_float(dtype)) benchmark::RegisterBenchmark(("scales/" + name).c_str(), scales, dtype);
  }
}

}  // namespace
}  // namespace forge

int main(int argc, char** argv) {
  forge::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
