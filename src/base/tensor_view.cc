#include "base/tensor_view.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace forge {
namespace {

std::int64_t checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  FORGE_CHECK(!__builtin_mul_overflow(a, b, &product));
  return product;
}

std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  FORGE_CHECK(!__builtin_add_overflow(a, b, &sum));
  return sum;
}

}  // namespace

TensorLayout TensorLayout::contiguous(Dtype dtype, std::vector<std::int64_t> shape) {
  TensorLayout layout{dtype, std::move(shape), {}};
  layout.strides.resize(layout.shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = layout.shape.size(); i-- > 0;) {
    layout.strides[i] = stride;
    // A dimension of 0 must not zero the strides of the others.
    stride = checked_multiply(stride, std::max<std::int64_t>(layout.shape[i], 1));
  }
  return layout;
}

std::int64_t TensorLayout::elements() const {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count = checked_multiply(count, extent);
  return count;
}

bool TensorLayout::is_contiguous() const {
  FORGE_CHECK(shape.size() == strides.size());
  if (elements() == 0) return true;
  std::int64_t expected = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    // The stride of a dimension of 1 is never used.
    if (shape[i] != 1 && strides[i] != expected) return false;
    expected *= shape[i];
  }
  return true;
}

std::size_t TensorLayout::span_bytes() const {
  FORGE_CHECK(shape.size() == strides.size());
  if (elements() == 0) return 0;
  std::int64_t last = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    FORGE_CHECK(strides[i] >= 0);
    last = checked_add(last, checked_multiply(shape[i] - 1, strides[i]));
  }
  const auto bytes = static_cast<std::int64_t>(dtype_bytes(dtype));
  return static_cast<std::size_t>(checked_multiply(checked_add(last, 1), bytes));
}

std::int64_t TensorLayout::offset_of(std::int64_t index) const {
  FORGE_CHECK(shape.size() == strides.size());
  std::int64_t offset = 0;
  for (std::size_t d = shape.size(); d-- > 0;) {
    offset += index % shape[d] * strides[d];
    index /= shape[d];
  }
  return offset;
}

}  // namespace forge
