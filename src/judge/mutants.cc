#include "judge/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.h"

namespace forge {
namespace {

using Bytes = std::vector<std::byte>;

std::size_t offset_of(const RightAnswer& right, std::int64_t element) {
  return static_cast<std::size_t>(element) * dtype_bytes(right.dtype);
}

double value_at(const RightAnswer& right, std::int64_t element) {
  return decode_element(right.dtype, right.bytes.data() + offset_of(right, element));
}

void fill(const RightAnswer& right, double value, Bytes& bytes) {
  const std::size_t width = dtype_bytes(right.dtype);
  std::byte element[8];
  encode_element(right.dtype, value, element);
  for (std::size_t at = 0; at < bytes.size(); at += width) {
    std::memcpy(bytes.data() + at, element, width);
  }
}

// Of all bits one, which is NaN in every floating-point type.
void leave_unwritten(std::span<std::byte> bytes) {
  std::fill(bytes.begin(), bytes.end(), std::byte{0xff});
}

std::span<std::byte> row_of(const RightAnswer& right, std::int64_t row, Bytes& bytes) {
  const std::size_t width = offset_of(right, right.row_elements());
  return std::span(bytes).subspan(static_cast<std::size_t>(row) * width, width);
}

void copy_elements(const Source& source, const RightAnswer& right, Bytes& bytes) {
  const std::int64_t count = source.layout.elements();
  if (count == 0) return;
  const std::size_t width = dtype_bytes(source.layout.dtype);
  const std::size_t to_width = dtype_bytes(right.dtype);
  const std::string flat = gathered(source.layout, source.first);
  for (std::int64_t i = 0; i < right.elements(); ++i) {
    const auto from = static_cast<std::size_t>(i % count) * width;
    std::byte* to = bytes.data() + offset_of(right, i);
    if (source.layout.dtype == right.dtype) {
      std::memcpy(to, flat.data() + from, to_width);
    } else {
      const double value = decode_element(source.layout.dtype,
                                          reinterpret_cast<const std::byte*>(flat.data()) + from);
      encode_element(right.dtype, value, to);
    }
  }
}

// Of integers: the farthest value that occurs, so that a comparison which forgives neighbours can't
// take it for one.
double wrong_integer(const RightAnswer& right, double value) {
  if (right.dtype == Dtype::kBool) return 1 - value;
  double low = value;
  double high = value;
  for (std::int64_t i = 0; i < right.elements(); ++i) {
    low = std::min(low, value_at(right, i));
    high = std::max(high, value_at(right, i));
  }
  if (low == high) return value > 0 ? 0 : value + 1;
  return high - value > value - low ? high : low;
}

double wrong_float(const RightAnswer& right, std::int64_t element) {
  const double value = value_at(right, element);
  if (!std::isfinite(value)) return 0;
  const auto row = static_cast<std::size_t>(element / right.scales.row_elements);
  return value + std::abs(value) + right.scales.scale[row];
}

void spoil_element(const RightAnswer& right, std::int64_t element, Bytes& bytes) {
  const double wrong = is_float(right.dtype) ? wrong_float(right, element)
                                             : wrong_integer(right, value_at(right, element));
  encode_element(right.dtype, wrong, bytes.data() + offset_of(right, element));
}

// Two rows that differ, tried at random: most do.
void swap_rows(const RightAnswer& right, Random& random, Bytes& bytes) {
  constexpr int kTries = 16;
  const auto rows = static_cast<std::uint64_t>(right.rows());
  for (int i = 0; i < kTries && rows > 1; ++i) {
    const auto a = row_of(right, static_cast<std::int64_t>(random.below(rows)), bytes);
    const auto b = row_of(right, static_cast<std::int64_t>(random.below(rows)), bytes);
    if (std::equal(a.begin(), a.end(), b.begin())) continue;
    std::swap_ranges(a.begin(), a.end(), b.begin());
    return;
  }
}

// To nearest, ties to even, in the bits of an f64: a carry goes into the exponent, as it should.
double rounded_to_digits(double value, int digits) {
  if (!std::isfinite(value)) return value;
  const int shift = 53 - digits;
  auto bits = std::bit_cast<std::uint64_t>(value);
  bits += (std::uint64_t{1} << (shift - 1)) - 1 + (bits >> shift & 1);
  return std::bit_cast<double>(bits >> shift << shift);
}

void round_elements(const RightAnswer& right, Bytes& bytes) {
  const int digits = narrower_digits(right.dtype);
  // A value that is its own scale errs half as much: less than the floor of 8-bit types.
  const bool invisible = dtype_bytes(right.dtype) == 1 && right.elements() == 1;
  if (digits == 0 || invisible) return;
  for (std::int64_t i = 0; i < right.elements(); ++i) {
    encode_element(right.dtype, rounded_to_digits(value_at(right, i), digits),
                   bytes.data() + offset_of(right, i));
  }
}

void apply(const Mutant& mutant, const RightAnswer& right, const MutantParts& parts, Random& random,
           Bytes& bytes) {
  switch (mutant.kind) {
    case MutantKind::kUnwritten:
      return leave_unwritten(bytes);
    case MutantKind::kZeros:
      return fill(right, 0, bytes);
    case MutantKind::kOnes:
      return fill(right, 1, bytes);
    case MutantKind::kCopy:
      if (parts.copied) copy_elements(*parts.copied, right, bytes);
      return;
    case MutantKind::kOtherCase:
      if (parts.other != nullptr) bytes = parts.other->bytes;
      return;
    case MutantKind::kLastRowUnwritten:
      return leave_unwritten(row_of(right, right.rows() - 1, bytes));
    case MutantKind::kLastRowZero: {
      const auto row = row_of(right, right.rows() - 1, bytes);
      return std::fill(row.begin(), row.end(), std::byte{0});
    }
    case MutantKind::kOneElement:
      return spoil_element(
          right,
          static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(right.elements()))),
          bytes);
    case MutantKind::kSwappedRows:
      return swap_rows(right, random, bytes);
    case MutantKind::kNarrower:
      return round_elements(right, bytes);
  }
}

}  // namespace

std::string describe(const Mutant& mutant) {
  switch (mutant.kind) {
    case MutantKind::kUnwritten:
      return "never written";
    case MutantKind::kZeros:
      return "all zeros";
    case MutantKind::kOnes:
      return "all ones";
    case MutantKind::kCopy:
      return fmt::format("a copy of input '{}'", mutant.input);
    case MutantKind::kOtherCase:
      return "the answer to other inputs";
    case MutantKind::kLastRowUnwritten:
      return "right but for its last row, which is never written";
    case MutantKind::kLastRowZero:
      return "right but for its last row, which is zero";
    case MutantKind::kOneElement:
      return "right but for one element";
    case MutantKind::kSwappedRows:
      return "right but for two rows, which are swapped";
    case MutantKind::kNarrower:
      return "rounded to about half of its digits";
  }
  invariant_failed(__FILE__, __LINE__, "a known mutant");
}

std::int64_t RightAnswer::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

std::int64_t RightAnswer::row_elements() const { return shape.size() < 2 ? 1 : shape.back(); }

std::int64_t RightAnswer::rows() const { return elements() / row_elements(); }

RightAnswer right_answer(Dtype dtype, std::span<const std::int64_t> shape,
                         std::span<const std::byte> expected, const RowScales& scales) {
  RightAnswer right{dtype, {shape.begin(), shape.end()}, {}, scales};
  const Dtype stored = expected_dtype(dtype);
  if (stored == dtype) {
    right.bytes.assign(expected.begin(), expected.end());
    return right;
  }
  const auto elements = static_cast<std::size_t>(right.elements());
  right.bytes.resize(elements * dtype_bytes(dtype));
  for (std::size_t i = 0; i < elements; ++i) {
    const double value = decode_element(stored, expected.data() + i * dtype_bytes(stored));
    encode_element(dtype, value, right.bytes.data() + i * dtype_bytes(dtype));
  }
  return right;
}

std::optional<std::vector<std::byte>> mutate(const Mutant& mutant, const RightAnswer& right,
                                             const MutantParts& parts, Random& random) {
  if (right.elements() == 0) return std::nullopt;
  Bytes bytes = right.bytes;
  apply(mutant, right, parts, random, bytes);
  if (bytes == right.bytes) return std::nullopt;
  return bytes;
}

int distinct_values(const RightAnswer& right, int most) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < right.elements(); ++i) {
    const double value = value_at(right, i);
    const bool known = std::any_of(values.begin(), values.end(), [value](double other) {
      return value == other || (std::isnan(value) && std::isnan(other));
    });
    if (known) continue;
    values.push_back(value);
    if (static_cast<int>(values.size()) >= most) break;
  }
  return static_cast<int>(values.size());
}

int narrower_digits(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64:
      return 24;  // f32
    case Dtype::kF32:
      return 11;  // f16
    case Dtype::kF16:
      return 8;  // bf16
    case Dtype::kBf16:
      return 5;
    case Dtype::kF8E4m3:
      return 2;
    case Dtype::kF8E5m2:
      return 1;
    default:
      return 0;
  }
}

}  // namespace forge
