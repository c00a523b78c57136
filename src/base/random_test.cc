#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace forge {
namespace {

// The first numbers of the authors' own code for seed 0.
TEST(Random, IsXoshiro256StarStarSeededBySplitMix64) {
  Random random(0);
  EXPECT_EQ(random.next(), 0x99ec5f36cb75f2b4u);
  EXPECT_EQ(random.next(), 0xbf6e1f784956452au);
}

TEST(Random, StreamsDependOnSeedAndLabelAndAreReproducible) {
  EXPECT_EQ(Random(5, "trials").next(), Random(5, "trials").next());
  EXPECT_NE(Random(5, "trials").next(), Random(5, "inputs").next());
  EXPECT_NE(Random(5, "trials").next(), Random(6, "trials").next());
  EXPECT_NE(Random(5, "").next(), Random(5).next());
}

TEST(Random, BelowReachesEveryValueAboutEquallyOften) {
  Random random(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts[random.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);  // five standard deviations
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, BelowIsInRangeWhereModuloBiasWouldBeLargest) {
  Random random(2);
  const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
  int upper_half = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t value = random.below(bound);
    ASSERT_LT(value, bound);
    if (value >= bound / 2) ++upper_half;
  }
  EXPECT_NEAR(upper_half, 5'000, 250);
}

TEST(Random, UniformLiesInTheUnitIntervalWithTheRightMoments) {
  Random random(3);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double value = random.uniform();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

TEST(Random, NormalHasTheMomentsAndTailsOfAStandardNormal) {
  Random random(4);
  constexpr int kCount = 100'000;
  double sum = 0, squares = 0;
  int beyond_two = 0;
  for (int i = 0; i < kCount; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
    if (std::abs(value) > 2) ++beyond_two;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.02);
  EXPECT_NEAR(squares / kCount, 1, 0.03);
  EXPECT_NEAR(static_cast<double>(beyond_two) / kCount, 0.0455, 0.004);
}

TEST(Random, ShuffleKeepsTheItemsAndEveryItemReachesEveryPlace) {
  Random random(5);
  std::array<std::array<int, 4>, 4> seen{};
  for (int round = 0; round < 1'000; ++round) {
    std::vector<int> items{0, 1, 2, 3};
    random.shuffle(items);
    for (std::size_t place = 0; place < 4; ++place) ++seen[place][items[place]];
    std::sort(items.begin(), items.end());
    ASSERT_EQ(items, (std::vector<int>{0, 1, 2, 3}));
  }
  for (const auto& place : seen) {
    for (const int count : place) EXPECT_NEAR(count, 250, 75);
  }
}

}  // namespace
}  // namespace forge
