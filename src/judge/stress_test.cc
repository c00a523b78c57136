#include "judge/stress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace forge {
namespace {

class StressTest : public testing::Test {
 protected:
  // A tensor that counts up from 1; `strides` empty: contiguous.
  StressedTensor tensor(Dtype dtype, std::vector<std::int64_t> shape,
                        std::vector<std::int64_t> strides = {}) {
    auto& concrete = *tensors_.emplace_back(std::make_unique<ConcreteTensor>());
    concrete.param = params_.emplace_back(std::make_unique<TensorParam>()).get();
    concrete.layout = TensorLayout::contiguous(dtype, std::move(shape));
    if (!strides.empty()) concrete.layout.strides = std::move(strides);
    StressedTensor made{&concrete, std::vector<std::byte>(concrete.layout.span_bytes())};
    for (std::int64_t i = 0; i < concrete.layout.elements(); ++i) {
      encode_element(dtype, static_cast<double>(i + 1), at(made, i));
    }
    return made;
  }

  void within(StressedTensor& stressed, std::int64_t low, std::int64_t high,
              IntegerMeaning meaning = IntegerMeaning::kValues) {
    params_.back()->range = IntegerRange{Expr::constant(low), Expr::constant(high)};
    params_.back()->meaning = meaning;
    tensors_.back()->range_low = low;
    tensors_.back()->range_high = high;
    ASSERT_EQ(stressed.tensor, tensors_.back().get());
  }

  static std::byte* at(StressedTensor& stressed, std::int64_t i) {
    const TensorLayout& layout = stressed.tensor->layout;
    return stressed.bytes.data() +
           static_cast<std::size_t>(layout.offset_of(i)) * dtype_bytes(layout.dtype);
  }

  static std::vector<double> values(StressedTensor& stressed) {
    std::vector<double> out;
    for (std::int64_t i = 0; i < stressed.tensor->layout.elements(); ++i) {
      out.push_back(decode_element(stressed.tensor->layout.dtype, at(stressed, i)));
    }
    return out;
  }

  bool apply(Stress stress, StressedTensor& stressed) {
    return apply_stress(stress, std::span(&stressed, 1), random_);
  }

  std::vector<std::unique_ptr<ConcreteTensor>> tensors_;
  std::vector<std::unique_ptr<TensorParam>> params_;
  Random random_{7};
};

std::size_t count_nan(const std::vector<double>& values) {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }));
}

TEST_F(StressTest, NamesComeBack) {
  for (const Stress stress : kStresses) EXPECT_EQ(parse_stress(stress_name(stress)), stress);
  EXPECT_FALSE(parse_stress("sideways"));
}

TEST_F(StressTest, ScalingKeepsEveryTypeFinite) {
  for (const Dtype dtype : all_dtypes()) {
    if (!is_float(dtype)) continue;
    SCOPED_TRACE(dtype_name(dtype));
    auto up = tensor(dtype, {4, 5});
    encode_element(dtype, 400, at(up, 19));  // times 4, beyond the largest f8_e4m3
    const auto before = values(up);
    ASSERT_TRUE(apply(Stress::kScaledUp, up));
    const auto after = values(up);
    EXPECT_GT(after[0], 2 * before[0]);
    for (const double value : after) EXPECT_TRUE(std::isfinite(value));
    auto spiked = tensor(dtype, {4, 5});
    ASSERT_TRUE(apply(Stress::kSpikes, spiked));
    for (const double value : values(spiked)) EXPECT_TRUE(std::isfinite(value));
    auto down = tensor(dtype, {4, 5});
    ASSERT_TRUE(apply(Stress::kScaledDown, down));
    EXPECT_LT(values(down)[3], 2);
  }
}

TEST_F(StressTest, EveryRowGetsOneSpike) {
  auto stressed = tensor(Dtype::kF32, {3, 8});
  const auto before = values(stressed);
  ASSERT_TRUE(apply(Stress::kSpikes, stressed));
  const auto after = values(stressed);
  for (std::size_t row = 0; row < 3; ++row) {
    int changed = 0;
    for (std::size_t i = 8 * row; i < 8 * row + 8; ++i) {
      if (after[i] == before[i]) continue;
      ++changed;
      EXPECT_GE(after[i], 1e4);
    }
    EXPECT_EQ(changed, 1);
  }
}

TEST_F(StressTest, RowsAreOfTheLogicalOrderWhateverTheStrides) {
  auto columns = tensor(Dtype::kF32, {2, 3}, {1, 2});
  ASSERT_TRUE(apply(Stress::kIdenticalRows, columns));
  EXPECT_EQ(values(columns), (std::vector<double>{1, 2, 3, 1, 2, 3}));
  auto vector = tensor(Dtype::kF32, {6});
  EXPECT_FALSE(apply(Stress::kIdenticalRows, vector)) << "it is one row";
}

TEST_F(StressTest, EveryOtherBlockIsZero) {
  auto stressed = tensor(Dtype::kBf16, {40});
  ASSERT_TRUE(apply(Stress::kZeroBlocks, stressed));
  const auto after = values(stressed);
  EXPECT_EQ(after[15], 16);
  EXPECT_EQ(after[16], 0);
  EXPECT_EQ(after[31], 0);
  EXPECT_EQ(after[32], 33);
}

TEST_F(StressTest, StrayValuesGoIntoTheLargestFloat) {
  std::vector<StressedTensor> both = {tensor(Dtype::kF32, {3}), tensor(Dtype::kF16, {5})};
  ASSERT_TRUE(apply_stress(Stress::kNan, both, random_));
  EXPECT_EQ(count_nan(values(both[0])), 0u);
  EXPECT_EQ(count_nan(values(both[1])), 1u);
  auto infinite = tensor(Dtype::kF64, {5});
  ASSERT_TRUE(apply(Stress::kInfinities, infinite));
  const auto after = values(infinite);
  EXPECT_EQ(std::count(after.begin(), after.end(), HUGE_VAL), 1);
  EXPECT_EQ(std::count(after.begin(), after.end(), -HUGE_VAL), 1);
  auto none = tensor(Dtype::kF8E4m3, {5});
  EXPECT_FALSE(apply(Stress::kInfinities, none)) << "the type has none";
}

TEST_F(StressTest, IntegersGoToTheEndsOfTheirRangeUnlessTheyHangTogether) {
  auto plain = tensor(Dtype::kI32, {4});
  EXPECT_FALSE(apply(Stress::kIntegerBoundaries, plain)) << "nothing says what is legal";
  within(plain, -3, 9);
  ASSERT_TRUE(apply(Stress::kIntegerBoundaries, plain));
  EXPECT_EQ(values(plain), (std::vector<double>{9, -3, 9, -3}));
  auto offsets = tensor(Dtype::kI64, {4});
  within(offsets, 0, 9, IntegerMeaning::kOffsets);
  EXPECT_FALSE(apply(Stress::kIntegerBoundaries, offsets));
  auto endless = tensor(Dtype::kI64, {4});
  within(endless, 0, std::numeric_limits<std::int64_t>::max());
  EXPECT_FALSE(apply(Stress::kIntegerBoundaries, endless)) << "no f64 holds its end";
  EXPECT_FALSE(apply(Stress::kScaledUp, endless));
}

TEST_F(StressTest, ScalarsAndEmptyTensorsAreNoFault) {
  for (const Stress stress : kStresses) {
    auto scalar = tensor(Dtype::kF32, {});
    apply(stress, scalar);
    EXPECT_EQ(values(scalar).size(), 1u);
    auto empty = tensor(Dtype::kF32, {0, 4});
    EXPECT_EQ(apply(stress, empty), stress == Stress::kNone);
  }
}

}  // namespace
}  // namespace forge
