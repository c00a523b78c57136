#include "problem/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace forge {
namespace {

// Far beyond any machine, and small enough that no later arithmetic on offsets can overflow.
constexpr std::int64_t kMaxTensorBytes = std::int64_t{1} << 46;

struct IntegerLimits {
  std::int64_t low;
  std::int64_t high;
};

IntegerLimits limits_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kBool:
      return {0, 1};
    case Dtype::kU8:
      return {0, 255};
    case Dtype::kI8:
      return {-128, 127};
    case Dtype::kI16:
      return {-32768, 32767};
    case Dtype::kI32:
      return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    default:
      return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  }
}

Error invalid(std::string cause, std::string remedy = "") {
  return Error{ErrorKind::kInvalidInput, "", "", std::move(cause), std::move(remedy)};
}

// Turns the error of an expression into one of `what`.
Error in_context(const std::string& what, Error inner) {
  return invalid(fmt::format("{}: {} {}: {}", what, inner.attempt, inner.object, inner.cause),
                 std::move(inner.remedy));
}

// As the kernel will see it: rounded to the scalar's own type.
Result<ScalarValue> scalar_as(const ScalarParam& param, const ScalarValue& value) {
  if (is_float(param.dtype)) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    const double given =
        integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
    std::array<std::byte, 8> bytes{};
    encode_element(param.dtype, given, bytes.data());
    const double rounded = decode_element(param.dtype, bytes.data());
    if (std::isfinite(rounded)) return ScalarValue(rounded);
    return invalid(fmt::format("the value {} of scalar '{}' does not fit into {}", given,
                               param.name, dtype_name(param.dtype)));
  }
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer == nullptr) {
    return invalid(fmt::format("the value {} of scalar '{}' is no integer, but it is {}",
                               std::get<double>(value), param.name, dtype_name(param.dtype)));
  }
  const IntegerLimits limits = limits_of(param.dtype);
  if (*integer >= limits.low && *integer <= limits.high) return value;
  return invalid(fmt::format("the value {} of scalar '{}' does not fit into {}", *integer,
                             param.name, dtype_name(param.dtype)));
}

// The group's value, else the shape's.
Result<std::vector<ConcreteScalar>> bind_scalars(const Signature& signature, const ShapeSpec& shape,
                                                 const InputGroup& group) {
  std::vector<ConcreteScalar> out;
  for (const ScalarParam& param : signature.scalars) {
    auto found = group.scalars.find(param.name);
    if (found == group.scalars.end()) {
      found = shape.scalars.find(param.name);
      if (found == shape.scalars.end()) {
        return invalid(fmt::format("scalar '{}' has no value", param.name),
                       "give it in the shape's or in the group's 'scalars'");
      }
    }
    FORGE_TRY(const ScalarValue value, scalar_as(param, found->second));
    out.push_back({&param, value});
  }
  return out;
}

Result<std::vector<std::int64_t>> evaluate_all(const std::vector<Expr>& exprs,
                                               const Bindings& bindings, const std::string& what) {
  std::vector<std::int64_t> out;
  for (const Expr& expr : exprs) {
    Result<std::int64_t> value = expr.evaluate(bindings);
    if (!value) return in_context(what, std::move(value.error()));
    if (*value < 0) {
      return invalid(fmt::format("{}: '{}' is {}", what, expr.text(), *value),
                     "it must not be negative");
    }
    out.push_back(*value);
  }
  return out;
}

// Whether shape and strides stay below kMaxTensorBytes, contiguously and as they lie.
bool fits(Dtype dtype, const std::vector<std::int64_t>& shape,
          const std::vector<std::int64_t>& strides) {
  const auto bytes = static_cast<std::int64_t>(dtype_bytes(dtype));
  const std::int64_t limit = kMaxTensorBytes / bytes;
  std::int64_t elements = 1;
  std::int64_t last = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t extent = std::max<std::int64_t>(shape[i], 1);
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(elements, extent, &elements) || elements > limit) return false;
    if (strides.empty()) continue;
    if (__builtin_mul_overflow(extent - 1, strides[i], &reach) ||
        __builtin_add_overflow(last, reach, &last) || last >= limit) {
      return false;
    }
  }
  return true;
}

// Each dimension must step over everything that the finer ones reach. Layouts that interleave
// without overlapping are refused too: no one needs them, and this rule can be understood.
bool overlaps_itself(const TensorLayout& layout) {
  if (layout.elements() <= 1) return false;
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // stride, extent
  for (std::size_t i = 0; i < layout.shape.size(); ++i) {
    if (layout.shape[i] > 1) steps.emplace_back(layout.strides[i], layout.shape[i]);
  }
  std::sort(steps.begin(), steps.end());
  std::int64_t reach = 0;
  for (const auto& [stride, extent] : steps) {
    if (stride <= reach) return true;
    reach += stride * (extent - 1);
  }
  return false;
}

Result<TensorLayout> layout_of(const TensorParam& param, const Bindings& bindings) {
  const std::string what = fmt::format("the shape of '{}'", param.name);
  FORGE_TRY(auto shape, evaluate_all(param.shape, bindings, what));
  std::vector<std::int64_t> strides;
  if (param.strides) {
    FORGE_TRY(strides, evaluate_all(*param.strides, bindings,
                                    fmt::format("the strides of '{}'", param.name)));
  }
  if (!fits(param.dtype, shape, strides)) {
    return invalid(fmt::format("'{}' is larger than 64 TiB", param.name));
  }
  TensorLayout layout = TensorLayout::contiguous(param.dtype, std::move(shape));
  if (param.strides) layout.strides = std::move(strides);
  if (param.direction != Direction::kInput && overlaps_itself(layout)) {
    return invalid(
        fmt::format("the strides of '{}' make its elements overlap or interleave", param.name),
        "in outputs and in-outs each stride must exceed what the smaller ones reach");
  }
  return layout;
}

Status bind_range(const TensorParam& param, const Bindings& bindings, ConcreteTensor& tensor) {
  if (!param.range) return {};
  const std::string what = fmt::format("the range of '{}'", param.name);
  Result<std::int64_t> low = param.range->low.evaluate(bindings);
  if (!low) return in_context(what, std::move(low.error()));
  Result<std::int64_t> high = param.range->high.evaluate(bindings);
  if (!high) return in_context(what, std::move(high.error()));
  tensor.range_low = *low;
  tensor.range_high = *high;
  if (tensor.layout.elements() == 0) return {};
  if (*low > *high) {
    return invalid(fmt::format("{} is empty: {} is above {}", what, *low, *high));
  }
  const IntegerLimits limits = limits_of(param.dtype);
  if (*low < limits.low || *high > limits.high) {
    return invalid(fmt::format("{}, {} to {}, does not fit into {}", what, *low, *high,
                               dtype_name(param.dtype)));
  }
  return {};
}

Result<std::optional<std::int64_t>> evaluate_work(const std::optional<Expr>& expr,
                                                  const Bindings& bindings, const char* what) {
  std::optional<std::int64_t> out;
  if (!expr) return out;
  FORGE_TRY(const auto values, evaluate_all({*expr}, bindings, what));
  out = values.front();
  return out;
}

Result<Bindings> bind_dims(const Signature& signature, const ShapeSpec& shape) {
  Bindings out;
  for (const std::string& dim : signature.dims) {
    const auto found = shape.dims.find(dim);
    if (found == shape.dims.end()) return invalid(fmt::format("dim '{}' has no value", dim));
    out.emplace(dim, found->second);
  }
  return out;
}

Status fill(const Problem& problem, const ShapeSpec& shape, const InputGroup& group,
            Instance& out) {
  const Signature& signature = problem.signature;
  FORGE_TRY(out.dims, bind_dims(signature, shape));
  FORGE_TRY(out.scalars, bind_scalars(signature, shape, group));
  Bindings bindings = out.dims;
  for (const ConcreteScalar& scalar : out.scalars) {
    const auto* integer = std::get_if<std::int64_t>(&scalar.value);
    if (integer != nullptr) bindings.emplace(scalar.param->name, *integer);
  }
  bool writes = false;
  for (const TensorParam& param : signature.tensors) {
    ConcreteTensor tensor;
    tensor.param = &param;
    FORGE_TRY(tensor.layout, layout_of(param, bindings));
    FORGE_TRY_STATUS(bind_range(param, bindings, tensor));
    tensor.present =
        std::find(group.absent.begin(), group.absent.end(), param.name) == group.absent.end();
    writes |= param.direction != Direction::kInput && tensor.layout.elements() > 0;
    out.tensors.push_back(std::move(tensor));
  }
  if (!writes) return invalid("no output has any element", "nothing could be judged or timed");
  FORGE_TRY(out.work_bytes, evaluate_work(problem.work.bytes, bindings, "[work] bytes"));
  FORGE_TRY(out.work_flops, evaluate_work(problem.work.flops, bindings, "[work] flops"));
  return {};
}

}  // namespace

Result<Instance> instantiate(const Problem& problem, const ShapeSpec& shape,
                             const InputGroup& group) {
  Instance out;
  out.shape = shape.name;
  out.group = group.name;
  if (Status status = fill(problem, shape, group, out); !status) {
    Error error = std::move(status.error());
    error.attempt = "cannot use";
    error.object = fmt::format("shape '{}' with group '{}'", shape.name, group.name);
    return error;
  }
  return out;
}

}  // namespace forge
