#include "judge/integer_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace forge {
namespace {

using testing::HasSubstr;

class IntegerInputs : public testing::Test {
 protected:
  void given(IntegerMeaning meaning, std::vector<std::int64_t> shape,
             std::vector<std::int64_t> strides = {}) {
    param_.meaning = meaning;
    tensor_.param = &param_;
    tensor_.layout = TensorLayout::contiguous(Dtype::kI32, std::move(shape));
    if (!strides.empty()) tensor_.layout.strides = std::move(strides);
  }

  void within(std::int64_t low, std::int64_t high) {
    param_.range = IntegerRange{Expr::constant(low), Expr::constant(high)};
    tensor_.range_low = low;
    tensor_.range_high = high;
  }

  std::string fault(const std::vector<std::int32_t>& values) {
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof(std::int32_t));
    return fault_of_integers(tensor_, bytes).value_or("none");
  }

  TensorParam param_;
  ConcreteTensor tensor_;
};

TEST_F(IntegerInputs, OffsetsNeverDecreaseWithinARowOfTheLastDimension) {
  given(IntegerMeaning::kOffsets, {4});
  EXPECT_EQ(fault({0, 3, 3, 7}), "none");
  EXPECT_EQ(fault({0, 3, 2, 7}), "the offset 2 at [2] after 3, and offsets never decrease");
  given(IntegerMeaning::kOffsets, {2, 2});
  EXPECT_EQ(fault({0, 9, 0, 9}), "none");
}

TEST_F(IntegerInputs, LengthsAreNeverNegative) {
  given(IntegerMeaning::kLengths, {2});
  EXPECT_EQ(fault({0, 5}), "none");
  EXPECT_THAT(fault({5, -1}), HasSubstr("the length -1 at [1]"));
}

TEST_F(IntegerInputs, TheRangeHoldsAtBothEnds) {
  given(IntegerMeaning::kIndices, {2});
  within(-1, 6);
  EXPECT_EQ(fault({-1, 6}), "none");
  EXPECT_EQ(fault({-2, 6}), "-2 at [0], and the signature allows -1 to 6");
  EXPECT_THAT(fault({0, 7}), HasSubstr("7 at [1]"));
}

TEST_F(IntegerInputs, GapsBetweenStridedElementsDoNotCount) {
  given(IntegerMeaning::kValues, {2}, {2});
  within(0, 6);
  EXPECT_EQ(fault({1, -1, 6}), "none");
}

}  // namespace
}  // namespace forge
