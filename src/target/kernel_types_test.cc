// include/forge/kernel.h against base/dtype.h, which computes in another way.
#include <forge/kernel.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/dtype.h"
#include "base/random.h"

namespace forge {
namespace {

template <typename T>
struct TypeInfo;
template <>
struct TypeInfo<bf16> {
  static constexpr Dtype kDtype = Dtype::kBf16;
};
template <>
struct TypeInfo<f16> {
  static constexpr Dtype kDtype = Dtype::kF16;
};
template <>
struct TypeInfo<f8_e4m3> {
  static constexpr Dtype kDtype = Dtype::kF8E4m3;
};
template <>
struct TypeInfo<f8_e5m2> {
  static constexpr Dtype kDtype = Dtype::kF8E5m2;
};

template <typename T>
class NarrowFloat : public ::testing::Test {
 protected:
  using Bits = decltype(T::bits);

  static float decoded(Bits bits) {
    return static_cast<float>(
        decode_element(TypeInfo<T>::kDtype, reinterpret_cast<const std::byte*>(&bits)));
  }

  // NaNs need not have the same payload.
  static void expect_rounds_like_base(float value) {
    Bits expected = 0;
    encode_element(TypeInfo<T>::kDtype, value, reinterpret_cast<std::byte*>(&expected));
    const T got = T::from_float(value);
    if (std::isnan(decoded(expected))) {
      ASSERT_TRUE(std::isnan(got.to_float())) << value;
    } else {
      ASSERT_EQ(got.bits, expected) << value << ' ' << std::bit_cast<std::uint32_t>(value);
    }
  }
};

using NarrowTypes = ::testing::Types<bf16, f16, f8_e4m3, f8_e5m2>;
TYPED_TEST_SUITE(NarrowFloat, NarrowTypes);

TYPED_TEST(NarrowFloat, EveryCodeDecodesLikeBaseAndSurvivesARoundTrip) {
  using Code = decltype(TypeParam::bits);
  for (std::uint32_t code = 0; code <= std::numeric_limits<Code>::max(); ++code) {
    const TypeParam value{static_cast<Code>(code)};
    const float expected = this->decoded(value.bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value.to_float())) << code;
      ASSERT_TRUE(std::isnan(TypeParam::from_float(value.to_float()).to_float())) << code;
      continue;
    }
    ASSERT_EQ(std::bit_cast<std::uint32_t>(value.to_float()),
              std::bit_cast<std::uint32_t>(expected))
        << code;
    ASSERT_EQ(TypeParam::from_float(expected).bits, value.bits) << code;
    ASSERT_EQ(from_float<TypeParam>(to_float(value)).bits, value.bits) << code;
  }
}

TYPED_TEST(NarrowFloat, RoundsToNearestEvenAroundEveryMidpoint) {
  using Code = decltype(TypeParam::bits);
  const float infinity = std::numeric_limits<float>::infinity();
  for (std::uint32_t code = 0; code < std::numeric_limits<Code>::max(); ++code) {
    const double low = this->decoded(static_cast<Code>(code));
    const double high = this->decoded(static_cast<Code>(code + 1));
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    const auto middle = static_cast<float>((low + high) / 2);
    this->expect_rounds_like_base(middle);
    this->expect_rounds_like_base(std::nextafter(middle, infinity));
    this->expect_rounds_like_base(std::nextafter(middle, -infinity));
  }
}

TYPED_TEST(NarrowFloat, RoundsLikeBaseOnAnyBits) {
  Random random(1, "narrow floats");
  for (int i = 0; i < 200'000; ++i) {
    this->expect_rounds_like_base(std::bit_cast<float>(static_cast<std::uint32_t>(random.next())));
  }
}

TYPED_TEST(NarrowFloat, OverflowsAndSpecialValuesMatchBase) {
  for (const float value :
       {0.0f, -0.0f, 448.0f, 464.0f, 465.0f, 480.0f, 57344.0f, 61440.0f, 65504.0f, 65519.0f,
        65520.0f, 3.4e38f, 1e-45f, 1e-40f, std::numeric_limits<float>::infinity(),
        std::numeric_limits<float>::quiet_NaN(), std::bit_cast<float>(0x7f800001u)}) {
    this->expect_rounds_like_base(value);
    this->expect_rounds_like_base(-value);
  }
}

TEST(NarrowFloat, ConversionsAreConstantExpressions) {
  static_assert(bf16::from_float(1.0f).bits == 0x3f80);
  static_assert(f16::from_float(-2.0f).bits == 0xc000);
  static_assert(f8_e4m3{0x7e}.to_float() == 448.0f);
  static_assert(to_float(from_float<f8_e5m2>(0.25f)) == 0.25f);
  static_assert(from_float<float>(to_float(3.0f)) == 3.0f);
}

}  // namespace
}  // namespace forge
