// Compares a tensor with what the oracle expects. Pure and fast: at least 1 GB/s of output a core.
// May know: base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/tensor_view.h"

namespace forge {

// The oracle's answer for one output. Floats: f32 for outputs of at most 16 bits, f64 otherwise
// (each at least 2^13 finer than the output's own rounding, f64 excepted); integers and booleans:
// the output's own dtype. Contiguous.
Dtype expected_dtype(Dtype output);

// s of the tolerance rule, one per row. A row is the smallest trailing block of dimensions with at
// least 32 elements (or the whole tensor). s is the median magnitude of the row's finite non-zero
// expected values, so that neither huge elements nor zeros move it, and at least
// min_normal / tolerance_floor of the output's dtype, so that flushing to zero stays inside the
// floor and r = s = 0 is defined.
struct RowScales {
  std::int64_t row_elements = 1;
  std::vector<double> scale;
};
RowScales row_scales(Dtype output, std::span<const std::int64_t> shape,
                     std::span<const std::byte> expected);

struct ComparedOutput {
  double worst_error = 0;       // infinity where NaN or ±inf differ in place or sign
  std::int64_t worst_index = 0; // of the contiguous logical order
  double worst_expected = 0;
  double worst_got = 0;
  std::int64_t wrong_elements = 0;  // above `allowed`
  std::int64_t elements = 0;
};

// `actual` points at the first element of a tensor laid out as `layout`.
ComparedOutput compare_output(const TensorLayout& layout, const std::byte* actual,
                              std::span<const std::byte> expected, const RowScales& scales,
                              double allowed);

}  // namespace forge
