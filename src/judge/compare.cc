// Two passes over chunks that stay in the nearest cache: a vectorised one finds each chunk's worst
// error, and only chunks that change the answer are looked at again, element by element.
#include "judge/compare.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace forge {
namespace {

constexpr std::int64_t kChunk = 512;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename T>
T load(const std::byte* bytes, std::int64_t index) {
  T value;
  std::memcpy(&value, bytes + index * static_cast<std::int64_t>(sizeof value), sizeof value);
  return value;
}

// How elements of a dtype become numbers: Real is the type of the expected values.
struct F64 {
  using Stored = double;
  using Real = double;
  static constexpr Dtype kDtype = Dtype::kF64;
  static constexpr double kLargest = std::numeric_limits<double>::max();
  static Real decode(Stored bits) { return bits; }
};
struct F32 {
  using Stored = float;
  using Real = double;
  static constexpr Dtype kDtype = Dtype::kF32;
  static constexpr double kLargest = std::numeric_limits<float>::max();
  static Real decode(Stored bits) { return bits; }
};
struct Bf16 {
  using Stored = std::uint16_t;
  using Real = float;
  static constexpr Dtype kDtype = Dtype::kBf16;
  static constexpr double kLargest = 0x1.fep127;
  static Real decode(Stored bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};
struct F16 {
  using Stored = std::uint16_t;
  using Real = float;
  static constexpr Dtype kDtype = Dtype::kF16;
  static constexpr double kLargest = 65504;
  // Shifts exponent and fraction into place and corrects the bias by a multiplication, which makes
  // subnormals right too; all ones in the exponent stay all ones.
  static Real decode(Stored bits) {
    const std::uint32_t magnitude = std::uint32_t{bits} & 0x7fffu;
    const std::uint32_t sign = (std::uint32_t{bits} & 0x8000u) << 16;
    const float value = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
    const std::uint32_t special = magnitude >= 0x7c00u ? 0x7f800000u : 0u;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | special | sign);
  }
};

template <Dtype kDtype>
const std::array<float, 256>& byte_table() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values{};
    for (int code = 0; code < 256; ++code) {
      const auto byte = static_cast<std::byte>(code);
      values[static_cast<std::size_t>(code)] = static_cast<float>(decode_element(kDtype, &byte));
    }
    return values;
  }();
  return table;
}
template <Dtype kDtypeOfByte>
struct F8 {
  using Stored = std::uint8_t;
  using Real = float;
  static constexpr Dtype kDtype = kDtypeOfByte;
  static constexpr double kLargest = kDtypeOfByte == Dtype::kF8E4m3 ? 448 : 57344;
  static Real decode(Stored bits) { return byte_table<kDtypeOfByte>()[bits]; }
};

// Steps through a tensor's elements in logical order.
class Walk {
 public:
  Walk(const TensorLayout& layout, const std::byte* first)
      : layout_(layout), position_(first), index_(layout.shape.size(), 0) {}

  const std::byte* position() const { return position_; }
  void advance() {
    const auto width = static_cast<std::int64_t>(dtype_bytes(layout_.dtype));
    for (std::size_t d = index_.size(); d > 0; --d) {
      const std::int64_t stride = layout_.strides[d - 1] * width;
      position_ += stride;
      if (++index_[d - 1] < layout_.shape[d - 1]) return;
      position_ -= stride * layout_.shape[d - 1];
      index_[d - 1] = 0;
    }
  }

 private:
  const TensorLayout& layout_;
  const std::byte* position_;
  std::vector<std::int64_t> index_;
};

// Hands out a tensor's elements in logical order and in contiguous chunks: in place if they lie so,
// else gathered.
class ChunkSource {
 public:
  ChunkSource(const TensorLayout& layout, const std::byte* first)
      : width_(dtype_bytes(layout.dtype)),
        contiguous_(layout.is_contiguous()),
        next_(first),
        walk_(layout, first) {}

  const std::byte* take(std::int64_t elements) {
    if (contiguous_) {
      const std::byte* chunk = next_;
      next_ += static_cast<std::size_t>(elements) * width_;
      return chunk;
    }
    std::byte* to = gathered_.data();
    for (std::int64_t i = 0; i < elements; ++i, to += width_) {
      std::memcpy(to, walk_.position(), width_);
      walk_.advance();
    }
    return gathered_.data();
  }

 private:
  std::size_t width_;
  bool contiguous_;
  const std::byte* next_;
  Walk walk_;
  std::array<std::byte, kChunk * sizeof(double)> gathered_;
};

// The rule, in double precision and with every special case. Halves keep |r| + s from overflowing.
template <typename T>
double element_error(double y, double r, double scale) {
  if (std::isfinite(y) && std::isfinite(r)) {
    return std::abs(y / 2 - r / 2) / (std::abs(r) / 2 + scale / 2);
  }
  if (std::isnan(r)) return std::isnan(y) ? 0 : kInfinity;
  if (std::isinf(r)) return y == r ? 0 : kInfinity;
  if (std::abs(r) > T::kLargest) {
    if (std::isinf(y) && std::signbit(y) == std::signbit(r)) return 0;
    if (T::kDtype == Dtype::kF8E4m3 && std::isnan(y)) return 0;
  }
  return kInfinity;
}

// The worst error of a chunk as the vectorised pass sees it; NaN where a special case is involved.
template <typename Real>
Real worst_of_chunk(const Real* got, const std::byte* expected, std::int64_t elements, Real scale) {
  constexpr std::int64_t kLanes = 16 / sizeof(Real);
  using Vector [[gnu::vector_size(16)]] = Real;
  const Vector half = Vector{} + Real{0.5};
  const Vector half_scale = half * scale;
  const Vector largest = Vector{} + std::numeric_limits<Real>::max();
  Vector worst{};
  auto finite = worst <= largest;
  std::int64_t i = 0;
  for (; i + kLanes <= elements; i += kLanes) {
    Vector y;
    Vector r;
    std::memcpy(&y, got + i, sizeof y);
    std::memcpy(&r, expected + i * static_cast<std::int64_t>(sizeof(Real)), sizeof r);
    Vector distance = y * half - r * half;
    distance = distance < 0 ? -distance : distance;
    const Vector magnitude = r < 0 ? -r : r;
    const Vector error = distance / (magnitude * half + half_scale);
    finite &= error <= largest;
    worst = error > worst ? error : worst;
  }
  Real result = 0;
  bool all_finite = true;
  for (std::int64_t lane = 0; lane < kLanes; ++lane) {
    result = std::max(result, worst[lane]);
    all_finite = all_finite && finite[lane] != 0;
  }
  for (; i < elements; ++i) {
    const Real r = load<Real>(expected, i);
    const Real error = std::abs(got[i] / 2 - r / 2) / (std::abs(r) / 2 + scale / 2);
    all_finite = all_finite && error <= std::numeric_limits<Real>::max();
    result = std::max(result, error);
  }
  return all_finite ? result : std::numeric_limits<Real>::quiet_NaN();
}

template <typename T>
void look_closely(const std::byte* actual, const std::byte* expected, std::int64_t first,
                  std::int64_t elements, double scale, double allowed, ComparedOutput& result) {
  for (std::int64_t i = 0; i < elements; ++i) {
    const double y = T::decode(load<typename T::Stored>(actual, i));
    const double r = load<typename T::Real>(expected, i);
    const double error = element_error<T>(y, r, scale);
    if (error > allowed) ++result.wrong_elements;
    if (error > result.worst_error || (first + i == 0)) {
      result.worst_error = error;
      result.worst_index = first + i;
      result.worst_expected = r;
      result.worst_got = y;
    }
  }
}

template <typename T>
ComparedOutput compare_floats(const TensorLayout& layout, const std::byte* actual,
                              const std::byte* expected, const RowScales& scales, double allowed) {
  using Real = typename T::Real;
  // The first pass rounds; whatever it finds this near to a threshold is looked at again.
  constexpr double kMargin = 1 + 16 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  ComparedOutput result;
  result.elements = layout.elements();
  ChunkSource source(layout, actual);
  std::array<Real, kChunk> decoded;
  std::int64_t first = 0;
  for (const double scale : scales.scale) {
    for (std::int64_t done = 0; done < scales.row_elements;) {
      const std::int64_t elements = std::min(kChunk, scales.row_elements - done);
      const std::byte* chunk = source.take(elements);
      for (std::int64_t i = 0; i < elements; ++i) {
        decoded[static_cast<std::size_t>(i)] = T::decode(load<typename T::Stored>(chunk, i));
      }
      const double worst =
          worst_of_chunk<Real>(decoded.data(), expected, elements, static_cast<Real>(scale));
      const double threshold = std::min(result.worst_error, allowed);
      if (first == 0 || !(worst * kMargin <= threshold)) {
        look_closely<T>(chunk, expected, first, elements, scale, allowed, result);
      }
      expected += static_cast<std::size_t>(elements) * sizeof(Real);
      first += elements;
      done += elements;
    }
  }
  return result;
}

ComparedOutput compare_exactly(const TensorLayout& layout, const std::byte* actual,
                               const std::byte* expected) {
  ComparedOutput result;
  result.elements = layout.elements();
  ChunkSource source(layout, actual);
  const std::size_t width = dtype_bytes(layout.dtype);
  for (std::int64_t first = 0; first < result.elements; first += kChunk) {
    const std::int64_t elements = std::min(kChunk, result.elements - first);
    const std::byte* chunk = source.take(elements);
    const std::byte* wanted = expected + static_cast<std::size_t>(first) * width;
    if (std::memcmp(chunk, wanted, static_cast<std::size_t>(elements) * width) == 0) continue;
    for (std::int64_t i = 0; i < elements; ++i) {
      const std::size_t offset = static_cast<std::size_t>(i) * width;
      if (std::memcmp(chunk + offset, wanted + offset, width) == 0) continue;
      if (result.wrong_elements++ > 0) continue;
      result.worst_error = kInfinity;
      result.worst_index = first + i;
      result.worst_expected = decode_element(layout.dtype, wanted + offset);
      result.worst_got = decode_element(layout.dtype, chunk + offset);
    }
  }
  return result;
}

}  // namespace

Dtype expected_dtype(Dtype output) {
  if (!is_float(output)) return output;
  return dtype_bytes(output) <= 2 ? Dtype::kF32 : Dtype::kF64;
}

ComparedOutput compare_output(const TensorLayout& layout, const std::byte* actual,
                              std::span<const std::byte> expected, const RowScales& scales,
                              double allowed) {
  const auto elements = static_cast<std::size_t>(layout.elements());
  FORGE_CHECK(expected.size() == elements * dtype_bytes(expected_dtype(layout.dtype)));
  if (!is_float(layout.dtype)) return compare_exactly(layout, actual, expected.data());
  FORGE_CHECK(static_cast<std::size_t>(scales.row_elements) * scales.scale.size() == elements);
  switch (layout.dtype) {
    case Dtype::kF64:
      return compare_floats<F64>(layout, actual, expected.data(), scales, allowed);
    case Dtype::kF32:
      return compare_floats<F32>(layout, actual, expected.data(), scales, allowed);
    case Dtype::kF16:
      return compare_floats<F16>(layout, actual, expected.data(), scales, allowed);
    case Dtype::kBf16:
      return compare_floats<Bf16>(layout, actual, expected.data(), scales, allowed);
    case Dtype::kF8E4m3:
      return compare_floats<F8<Dtype::kF8E4m3>>(layout, actual, expected.data(), scales, allowed);
    default:
      return compare_floats<F8<Dtype::kF8E5m2>>(layout, actual, expected.data(), scales, allowed);
  }
}

std::string gathered(const TensorLayout& layout, const std::byte* first) {
  const std::size_t width = dtype_bytes(layout.dtype);
  const std::int64_t elements = layout.elements();
  std::string bytes(static_cast<std::size_t>(elements) * width, '\0');
  ChunkSource source(layout, first);
  for (std::int64_t done = 0; done < elements; done += kChunk) {
    const std::int64_t count = std::min(kChunk, elements - done);
    std::memcpy(bytes.data() + static_cast<std::size_t>(done) * width, source.take(count),
                static_cast<std::size_t>(count) * width);
  }
  return bytes;
}

std::vector<std::int64_t> multi_index(std::span<const std::int64_t> shape, std::int64_t index) {
  std::vector<std::int64_t> result(shape.size());
  for (std::size_t d = shape.size(); d > 0; --d) {
    result[d - 1] = index % shape[d - 1];
    index /= shape[d - 1];
  }
  return result;
}

}  // namespace forge
