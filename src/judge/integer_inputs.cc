#include "judge/integer_inputs.h"

#include <fmt/format.h>

#include <cstring>

#include "judge/compare.h"

namespace forge {
namespace {

template <typename T>
std::int64_t load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

std::int64_t integer_at(Dtype dtype, const char* from) {
  switch (dtype) {
    case Dtype::kI64:
      return load<std::int64_t>(from);
    case Dtype::kI32:
      return load<std::int32_t>(from);
    case Dtype::kI16:
      return load<std::int16_t>(from);
    case Dtype::kI8:
      return load<std::int8_t>(from);
    default:
      return load<std::uint8_t>(from);
  }
}

std::string place(const TensorLayout& layout, std::int64_t element) {
  std::string text;
  for (const std::int64_t i : multi_index(layout.shape, element)) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", i);
  }
  return "[" + text + "]";
}

}  // namespace

std::optional<std::string> fault_of_integers(const ConcreteTensor& tensor, std::string_view bytes) {
  const TensorLayout& layout = tensor.layout;
  const IntegerMeaning meaning = tensor.param->meaning;
  const std::int64_t row = layout.shape.empty() ? 1 : layout.shape.back();
  const bool contiguous = layout.is_contiguous();
  std::int64_t before = 0;
  for (std::int64_t i = 0; i < layout.elements(); ++i) {
    const auto at = static_cast<std::size_t>(contiguous ? i : layout.offset_of(i));
    const std::int64_t value =
        integer_at(layout.dtype, bytes.data() + at * dtype_bytes(layout.dtype));
    if (tensor.param->range && (value < tensor.range_low || value > tensor.range_high)) {
      return fmt::format("{} at {}, and the signature allows {} to {}", value, place(layout, i),
                         tensor.range_low, tensor.range_high);
    }
    if (meaning == IntegerMeaning::kLengths && value < 0) {
      return fmt::format("the length {} at {}, and lengths are never negative", value,
                         place(layout, i));
    }
    if (meaning == IntegerMeaning::kOffsets && i % row != 0 && value < before) {
      return fmt::format("the offset {} at {} after {}, and offsets never decrease", value,
                         place(layout, i), before);
    }
    before = value;
  }
  return std::nullopt;
}

}  // namespace forge
