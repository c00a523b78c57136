// Compares a tensor with what the oracle expects. Pure and fast: at least 1 GB/s of output a core.
// May know: base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/tensor_view.h"

namespace forge {

// The oracle's answer for one output. Floats: f32 for outputs of at most 16 bits, f64 otherwise
// (each at least 2^13 finer than the output's own rounding, f64 excepted); integers and booleans:
// the output's own dtype. Contiguous.
Dtype expected_dtype(Dtype output);

// s of the tolerance rule, one per row. A row is the smallest trailing block of dimensions with at
// least 32 elements (or the whole tensor). s is the median magnitude of the row's finite non-zero
// expected values, so that neither huge elements nor zeros move it (of an even number the lower
// middle one), and at least `vanishing / tolerance_floor` of the output's dtype, so that r = s = 0
// is defined. `vanishing` is the largest magnitude that right kernels may lose to zero: the
// smallest normal number where flushing is customary (f64, f32, bf16), else the smallest subnormal
// (f16, f8), since whole outputs of f16 may rightly lie among its subnormals.
struct RowScales {
  std::int64_t row_elements = 1;
  std::vector<double> scale;
};
RowScales row_scales(Dtype output, std::span<const std::int64_t> shape,
                     std::span<const std::byte> expected);

struct ComparedOutput {
  double worst_error = 0;        // infinity where NaN or ±inf differ in place or sign
  std::int64_t worst_index = 0;  // of the contiguous logical order
  double worst_expected = 0;
  double worst_got = 0;
  std::int64_t wrong_elements = 0;  // above `allowed`
  std::int64_t elements = 0;
};

// An infinite y matches a finite r that lies beyond the largest finite number of the output's dtype
// (in f8_e4m3, which has no infinity, NaN does).
//
// `actual` points at the first element of a tensor laid out as `layout`.
ComparedOutput compare_output(const TensorLayout& layout, const std::byte* actual,
                              std::span<const std::byte> expected, const RowScales& scales,
                              double allowed);

// The elements of a tensor in logical order, without gaps.
std::string gathered(const TensorLayout& layout, const std::byte* first);

// The multi-dimensional index of element `index` of the contiguous logical order.
std::vector<std::int64_t> multi_index(std::span<const std::int64_t> shape, std::int64_t index);

}  // namespace forge
