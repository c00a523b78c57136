#include "base/tensor_view.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

TEST(TensorLayout, ContiguousMeansTheLastDimensionIsDense) {
  const auto layout = TensorLayout::contiguous(Dtype::kBf16, {2, 3, 4});
  EXPECT_EQ(layout.strides, (std::vector<std::int64_t>{12, 4, 1}));
  EXPECT_EQ(layout.elements(), 24);
  EXPECT_EQ(layout.span_bytes(), 48u);
  EXPECT_TRUE(layout.is_contiguous());
}

TEST(TensorLayout, RankZeroIsOneElement) {
  const auto layout = TensorLayout::contiguous(Dtype::kF64, {});
  EXPECT_EQ(layout.elements(), 1);
  EXPECT_EQ(layout.span_bytes(), 8u);
  EXPECT_TRUE(layout.is_contiguous());
}

TEST(TensorLayout, WithoutElementsThereAreNoBytes) {
  const auto layout = TensorLayout::contiguous(Dtype::kF32, {4, 0, 3});
  EXPECT_EQ(layout.elements(), 0);
  EXPECT_EQ(layout.span_bytes(), 0u);
  EXPECT_TRUE(layout.is_contiguous());
}

TEST(TensorLayout, StridesWithGapsSpanTheGaps) {
  const TensorLayout padded{Dtype::kF32, {2, 3}, {8, 1}};
  EXPECT_FALSE(padded.is_contiguous());
  EXPECT_EQ(padded.span_bytes(), 4u * (8 + 2 + 1));
  const TensorLayout column_major{Dtype::kF32, {2, 3}, {1, 2}};
  EXPECT_FALSE(column_major.is_contiguous());
  EXPECT_EQ(column_major.span_bytes(), 24u);
  const TensorLayout broadcast{Dtype::kF32, {5, 3}, {0, 1}};
  EXPECT_EQ(broadcast.span_bytes(), 12u);
}

TEST(TensorLayout, TheStrideOfADimensionOfOneDoesNotMatter) {
  const TensorLayout layout{Dtype::kF32, {1, 3}, {77, 1}};
  EXPECT_TRUE(layout.is_contiguous());
  EXPECT_EQ(layout.span_bytes(), 12u);
}

TEST(TensorLayoutDeathTest, SizesThatOverflowAbort) {
  const TensorLayout layout{Dtype::kF32, {1LL << 40, 1LL << 40}, {1LL << 40, 1}};
  EXPECT_DEATH(layout.elements(), "broken invariant");
}

}  // namespace
}  // namespace forge
