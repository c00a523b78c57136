#include "base/dtype.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace forge {
namespace {

struct DtypeInfo {
  Dtype dtype;
  std::string_view name;
  std::string_view cpp_type;
  std::size_t bytes;
  bool floating;
};

constexpr std::array kInfos = {
    DtypeInfo{Dtype::kF64, "f64", "double", 8, true},
    DtypeInfo{Dtype::kF32, "f32", "float", 4, true},
    DtypeInfo{Dtype::kF16, "f16", "forge::f16", 2, true},
    DtypeInfo{Dtype::kBf16, "bf16", "forge::bf16", 2, true},
    DtypeInfo{Dtype::kF8E4m3, "f8_e4m3", "forge::f8_e4m3", 1, true},
    DtypeInfo{Dtype::kF8E5m2, "f8_e5m2", "forge::f8_e5m2", 1, true},
    DtypeInfo{Dtype::kI64, "i64", "std::int64_t", 8, false},
    DtypeInfo{Dtype::kI32, "i32", "std::int32_t", 4, false},
    DtypeInfo{Dtype::kI16, "i16", "std::int16_t", 2, false},
    DtypeInfo{Dtype::kI8, "i8", "std::int8_t", 1, false},
    DtypeInfo{Dtype::kU8, "u8", "std::uint8_t", 1, false},
    DtypeInfo{Dtype::kBool, "bool", "bool", 1, false},
};

constexpr auto kAll = [] {
  std::array<Dtype, kInfos.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kInfos[i].dtype;
  return all;
}();

const DtypeInfo& info(Dtype dtype) {
  const auto index = static_cast<std::size_t>(dtype);
  FORGE_CHECK(index < kInfos.size() && kInfos[index].dtype == dtype);
  return kInfos[index];
}

// A binary floating point format narrower than f32. Fields are magnitudes, without the sign bit.
struct NarrowFormat {
  int mantissa_bits;
  int bias;
  int sign_shift;
  std::uint32_t largest_finite;
  std::uint32_t overflow;  // infinity, or NaN where the format has none
  std::uint32_t infinity;  // what an infinite value becomes
  std::uint32_t nan;
};

constexpr NarrowFormat kF16Format{10, 15, 15, 0x7bff, 0x7c00, 0x7c00, 0x7e00};
constexpr NarrowFormat kBf16Format{7, 127, 15, 0x7f7f, 0x7f80, 0x7f80, 0x7fc0};
constexpr NarrowFormat kE4m3Format{3, 7, 7, 0x7e, 0x7f, 0x7f, 0x7f};
constexpr NarrowFormat kE5m2Format{2, 15, 7, 0x7b, 0x7c, 0x7c, 0x7e};

std::uint32_t encode_narrow(const NarrowFormat& format, double value) {
  constexpr std::uint64_t kMantissaMask = (std::uint64_t{1} << 52) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 63) << format.sign_shift;
  const int raw_exponent = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t mantissa = bits & kMantissaMask;
  if (raw_exponent == 0x7ff) return sign | (mantissa != 0 ? format.nan : format.infinity);

  const int smallest_exponent = 1 - format.bias;
  int exponent = raw_exponent - 1023;
  int shift = 52 - format.mantissa_bits;
  if (exponent < smallest_exponent) {
    shift += smallest_exponent - exponent;
    exponent = smallest_exponent;
  }
  // Less than half of the smallest subnormal; f64's own subnormals end up here too.
  if (shift > 54) return sign;
  const std::uint64_t significand = mantissa | (std::uint64_t{1} << 52);
  std::uint64_t quotient = significand >> shift;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  if (rest > half || (rest == half && (quotient & 1) != 0)) ++quotient;
  // The hidden bit of a normal number carries into the exponent field, and so does rounding up.
  const std::uint64_t field =
      quotient + (static_cast<std::uint64_t>(exponent - smallest_exponent) << format.mantissa_bits);
  return sign |
         (field > format.largest_finite ? format.overflow : static_cast<std::uint32_t>(field));
}

double decode_narrow(const NarrowFormat& format, std::uint32_t bits) {
  const std::uint32_t magnitude = bits & ((1u << format.sign_shift) - 1);
  const double sign = (bits >> format.sign_shift & 1) != 0 ? -1.0 : 1.0;
  if (magnitude > format.largest_finite) {
    return std::copysign(magnitude == format.infinity && format.infinity != format.nan
                             ? std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN(),
                         sign);
  }
  const int raw_exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  const std::uint32_t mantissa = magnitude & ((1u << format.mantissa_bits) - 1);
  const int exponent = (raw_exponent == 0 ? 1 : raw_exponent) - format.bias - format.mantissa_bits;
  const std::uint32_t hidden = raw_exponent == 0 ? 0 : 1u << format.mantissa_bits;
  const auto power = std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  return sign * (hidden + mantissa) * power;
}

template <typename T>
T load(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <typename T>
void store(std::byte* bytes, T value) {
  std::memcpy(bytes, &value, sizeof value);
}

// Saturates; NaN becomes 0.
template <typename T>
void store_integer(std::byte* bytes, double value) {
  using Limits = std::numeric_limits<T>;
  // One above the largest value, which f64 holds exactly even for i64.
  const double end = 2.0 * static_cast<double>(Limits::max() / 2 + 1);
  const double rounded = std::nearbyint(value);
  T result = 0;
  if (rounded >= end) {
    result = Limits::max();
  } else if (rounded < static_cast<double>(Limits::min())) {
    result = Limits::min();
  } else if (!std::isnan(rounded)) {
    result = static_cast<T>(rounded);
  }
  store(bytes, result);
}

}  // namespace

std::string_view dtype_name(Dtype dtype) { return info(dtype).name; }

std::optional<Dtype> parse_dtype(std::string_view name) {
  for (const DtypeInfo& candidate : kInfos) {
    if (candidate.name == name) return candidate.dtype;
  }
  return std::nullopt;
}

std::span<const Dtype> all_dtypes() { return kAll; }

std::size_t dtype_bytes(Dtype dtype) { return info(dtype).bytes; }

bool is_float(Dtype dtype) { return info(dtype).floating; }

std::string_view dtype_cpp_type(Dtype dtype) { return info(dtype).cpp_type; }

double decode_element(Dtype dtype, const std::byte* bytes) {
  switch (dtype) {
    case Dtype::kF64:
      return load<double>(bytes);
    case Dtype::kF32:
      return load<float>(bytes);
    case Dtype::kF16:
      return decode_narrow(kF16Format, load<std::uint16_t>(bytes));
    case Dtype::kBf16:
      return std::bit_cast<float>(static_cast<std::uint32_t>(load<std::uint16_t>(bytes)) << 16);
    case Dtype::kF8E4m3:
      return decode_narrow(kE4m3Format, load<std::uint8_t>(bytes));
    case Dtype::kF8E5m2:
      return decode_narrow(kE5m2Format, load<std::uint8_t>(bytes));
    case Dtype::kI64:
      return static_cast<double>(load<std::int64_t>(bytes));
    case Dtype::kI32:
      return load<std::int32_t>(bytes);
    case Dtype::kI16:
      return load<std::int16_t>(bytes);
    case Dtype::kI8:
      return load<std::int8_t>(bytes);
    case Dtype::kU8:
      return load<std::uint8_t>(bytes);
    case Dtype::kBool:
      return load<std::uint8_t>(bytes) != 0 ? 1.0 : 0.0;
  }
  invariant_failed(__FILE__, __LINE__, "unknown dtype");
}

void encode_element(Dtype dtype, double value, std::byte* bytes) {
  switch (dtype) {
    case Dtype::kF64:
      return store(bytes, value);
    case Dtype::kF32:
      return store(bytes, static_cast<float>(value));
    case Dtype::kF16:
      return store(bytes, static_cast<std::uint16_t>(encode_narrow(kF16Format, value)));
    case Dtype::kBf16:
      return store(bytes, static_cast<std::uint16_t>(encode_narrow(kBf16Format, value)));
    case Dtype::kF8E4m3:
      return store(bytes, static_cast<std::uint8_t>(encode_narrow(kE4m3Format, value)));
    case Dtype::kF8E5m2:
      return store(bytes, static_cast<std::uint8_t>(encode_narrow(kE5m2Format, value)));
    case Dtype::kI64:
      return store_integer<std::int64_t>(bytes, value);
    case Dtype::kI32:
      return store_integer<std::int32_t>(bytes, value);
    case Dtype::kI16:
      return store_integer<std::int16_t>(bytes, value);
    case Dtype::kI8:
      return store_integer<std::int8_t>(bytes, value);
    case Dtype::kU8:
      return store_integer<std::uint8_t>(bytes, value);
    case Dtype::kBool:
      return store(bytes, static_cast<std::uint8_t>(value != 0 ? 1 : 0));
  }
  invariant_failed(__FILE__, __LINE__, "unknown dtype");
}

}  // namespace forge
