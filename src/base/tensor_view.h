// Where the elements of a tensor lie: dtype, shape and strides. May know: dtype.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/dtype.h"

namespace forge {

// Shape and strides in elements, outermost dimension first. Rank 0 is a single element.
struct TensorLayout {
  Dtype dtype = Dtype::kF32;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;

  static TensorLayout contiguous(Dtype dtype, std::vector<std::int64_t> shape);

  std::int64_t elements() const;
  bool is_contiguous() const;
  // Bytes from the first element to the end of the farthest one; 0 if there are no elements.
  std::size_t span_bytes() const;
  // Of element `index` of the logical order, in elements from the first.
  std::int64_t offset_of(std::int64_t index) const;
  bool operator==(const TensorLayout&) const = default;
};

}  // namespace forge
