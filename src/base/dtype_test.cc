#include "base/dtype.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/random.h"

namespace forge {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::uint64_t encode_bits(Dtype dtype, double value) {
  std::array<std::byte, 8> bytes{};
  encode_element(dtype, value, bytes.data());
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), dtype_bytes(dtype));
  return bits;
}

double decode_bits(Dtype dtype, std::uint64_t bits) {
  std::array<std::byte, 8> bytes{};
  std::memcpy(bytes.data(), &bits, bytes.size());
  return decode_element(dtype, bytes.data());
}

double through(Dtype dtype, double value) { return decode_bits(dtype, encode_bits(dtype, value)); }

TEST(Dtype, EveryNameParsesBackToItsDtype) {
  for (const Dtype dtype : all_dtypes()) EXPECT_EQ(parse_dtype(dtype_name(dtype)), dtype);
  EXPECT_EQ(all_dtypes().size(), 12u);
  EXPECT_EQ(parse_dtype("float"), std::nullopt);
  EXPECT_EQ(parse_dtype(""), std::nullopt);
}

TEST(Dtype, EveryBitPatternOfTheNarrowTypesSurvivesDecodingAndEncoding) {
  for (const Dtype dtype : all_dtypes()) {
    if (dtype_bytes(dtype) > 2 || dtype == Dtype::kBool) continue;
    const std::uint64_t end = std::uint64_t{1} << (8 * dtype_bytes(dtype));
    for (std::uint64_t bits = 0; bits < end; ++bits) {
      const double value = decode_bits(dtype, bits);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(through(dtype, value)));
      } else {
        ASSERT_EQ(encode_bits(dtype, value), bits) << dtype_name(dtype) << ' ' << value;
      }
    }
  }
}

// Between two neighbours, what is nearer to one goes there and the middle goes to the even one.
TEST(Dtype, EveryMidpointBetweenFiniteNeighboursRoundsToEven) {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBf16, Dtype::kF8E4m3, Dtype::kF8E5m2}) {
    const std::uint64_t signs = std::uint64_t{1} << (8 * dtype_bytes(dtype) - 1);
    for (std::uint64_t bits = 0; bits + 1 < signs; ++bits) {
      const double low = decode_bits(dtype, bits);
      const double high = decode_bits(dtype, bits + 1);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      const double middle = (low + high) / 2;
      const std::uint64_t even = bits % 2 == 0 ? bits : bits + 1;
      ASSERT_EQ(encode_bits(dtype, middle), even) << dtype_name(dtype);
      ASSERT_EQ(encode_bits(dtype, -middle), even | signs) << dtype_name(dtype);
      ASSERT_EQ(encode_bits(dtype, std::nextafter(middle, low)), bits) << dtype_name(dtype);
      ASSERT_EQ(encode_bits(dtype, std::nextafter(middle, high)), bits + 1) << dtype_name(dtype);
    }
  }
}

TEST(Dtype, LargestFiniteValuesAndOverflowAreThoseOfTheFormats) {
  EXPECT_EQ(decode_bits(Dtype::kF16, 0x7bff), 65504.0);
  EXPECT_EQ(decode_bits(Dtype::kF8E5m2, 0x7b), 57344.0);
  EXPECT_EQ(decode_bits(Dtype::kF8E4m3, 0x7e), 448.0);
  EXPECT_EQ(decode_bits(Dtype::kF8E4m3, 0x01), std::ldexp(1, -9));
  EXPECT_EQ(through(Dtype::kF16, 65519.9), 65504.0);
  EXPECT_EQ(through(Dtype::kF16, 65520.0), kInfinity);
  EXPECT_EQ(through(Dtype::kF16, -65520.0), -kInfinity);
  EXPECT_EQ(through(Dtype::kBf16, 3.4e38), kInfinity);
  EXPECT_EQ(through(Dtype::kF8E5m2, 61440.0), kInfinity);
}

TEST(Dtype, E4m3HasNoInfinityAndOverflowsToNan) {
  EXPECT_EQ(through(Dtype::kF8E4m3, 464.0), 448.0);
  EXPECT_TRUE(std::isnan(through(Dtype::kF8E4m3, 464.1)));
  EXPECT_TRUE(std::isnan(through(Dtype::kF8E4m3, kInfinity)));
  EXPECT_TRUE(std::isnan(through(Dtype::kF8E4m3, -kInfinity)));
}

TEST(Dtype, NanInfinityAndTheSignOfZeroSurviveInEveryFloatFormat) {
  for (const Dtype dtype : all_dtypes()) {
    if (!is_float(dtype)) continue;
    EXPECT_TRUE(std::isnan(through(dtype, kNan))) << dtype_name(dtype);
    EXPECT_TRUE(std::signbit(through(dtype, -0.0))) << dtype_name(dtype);
    if (dtype == Dtype::kF8E4m3) continue;
    EXPECT_EQ(through(dtype, kInfinity), kInfinity) << dtype_name(dtype);
    EXPECT_EQ(through(dtype, -kInfinity), -kInfinity) << dtype_name(dtype);
  }
}

// bf16 is the upper half of f32; rounding through f32 first would round twice.
TEST(Dtype, Bf16IsRoundedOnceFromF64) {
  const double just_above_middle = 1.0 + std::ldexp(1, -8) + std::ldexp(1, -40);
  EXPECT_EQ(through(Dtype::kBf16, just_above_middle), 1.0 + std::ldexp(1, -7));
}

TEST(Dtype, WideFloatsMatchTheCompilersConversions) {
  Random random(7);
  for (int i = 0; i < 10000; ++i) {
    const double value = random.normal() * std::ldexp(1, static_cast<int>(random.below(280)) - 140);
    EXPECT_EQ(through(Dtype::kF64, value), value);
    EXPECT_EQ(through(Dtype::kF32, value), static_cast<double>(static_cast<float>(value)));
  }
}

TEST(Dtype, IntegersRoundToEvenAndSaturate) {
  EXPECT_EQ(through(Dtype::kI32, 2.5), 2.0);
  EXPECT_EQ(through(Dtype::kI32, 3.5), 4.0);
  EXPECT_EQ(through(Dtype::kI32, -2.5), -2.0);
  EXPECT_EQ(through(Dtype::kI8, 1000), 127.0);
  EXPECT_EQ(through(Dtype::kI8, -1000), -128.0);
  EXPECT_EQ(through(Dtype::kU8, -1), 0.0);
  EXPECT_EQ(through(Dtype::kU8, 255.4), 255.0);
  EXPECT_EQ(encode_bits(Dtype::kI64, 1e30), std::uint64_t{INT64_MAX});
  EXPECT_EQ(through(Dtype::kI64, -1e30), -0x1p63);
  EXPECT_EQ(through(Dtype::kI64, -0x1p53 + 1), -0x1p53 + 1);
  EXPECT_EQ(through(Dtype::kI16, kNan), 0.0);
}

TEST(Dtype, AnyNonZeroIsTrue) {
  EXPECT_EQ(encode_bits(Dtype::kBool, 0.25), 1u);
  EXPECT_EQ(encode_bits(Dtype::kBool, 0), 0u);
  EXPECT_EQ(decode_bits(Dtype::kBool, 7), 1.0);
}

}  // namespace
}  // namespace forge
