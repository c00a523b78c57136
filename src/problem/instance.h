// A signature at one shape and input group: all expressions evaluated. Pure. May know: base.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/tensor_view.h"
#include "problem/problem.h"

namespace forge {

struct ConcreteTensor {
  const TensorParam* param = nullptr;  // into the Signature given to instantiate()
  TensorLayout layout;
  bool present = true;         // false: an optional tensor left out; its pointer is null
  std::int64_t range_low = 0;  // meaningful if param->range
  std::int64_t range_high = 0;
};

struct ConcreteScalar {
  const ScalarParam* param = nullptr;
  ScalarValue value;
};

struct Instance {
  std::string shape;
  std::string group;
  Bindings dims;
  std::vector<ConcreteTensor> tensors;  // Signature::tensors order
  std::vector<ConcreteScalar> scalars;  // Signature::scalars order
  std::optional<std::int64_t> work_bytes;
  std::optional<std::int64_t> work_flops;
};

// Fails if an extent is negative, a stride makes elements overlap in an output, a scalar has no
// value, or a value does not fit its dtype.
Result<Instance> instantiate(const Problem& problem, const ShapeSpec& shape,
                             const InputGroup& group);

}  // namespace forge
