#include "stats/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace forge {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(MachineSd, IsAboutZeroSoThatACommonOffsetCounts) {
  EXPECT_DOUBLE_EQ(machine_sd(std::vector<double>{0.01, 0.01, 0.01}), 0.01);
  EXPECT_DOUBLE_EQ(machine_sd(std::vector<double>{0.03, -0.04}), std::sqrt(0.00125));
}

TEST(MachineSd, IsUnknownWithoutTrialsAndNaNWithNaN) {
  EXPECT_EQ(machine_sd({}), 0);
  EXPECT_TRUE(std::isnan(machine_sd(std::vector<double>{0.01, kNaN})));
}

TEST(NoiseFloor, IsTheRelativeSpreadOfBatches) {
  EXPECT_NEAR(noise_floor(std::vector<double>{1.00, 0.98, 1.02, 1.01, 0.99}), 0.04, 1e-12);
}

TEST(NoiseFloor, IsAtLeastTheMinimum) {
  EXPECT_DOUBLE_EQ(noise_floor(std::vector<double>{1, 1, 1, 1, 1}), 0.015);
  EXPECT_DOUBLE_EQ(noise_floor(std::vector<double>{1, 1.001}, 0.002), 0.002);
}

TEST(NoiseFloor, ShowsNaN) {
  EXPECT_TRUE(std::isnan(noise_floor(std::vector<double>{1, kNaN, 1})));
}

TEST(NoiseFloorDeathTest, OneBatchIsABrokenContract) {
  EXPECT_DEATH(noise_floor(std::vector<double>{1.0}), "batch_ratios.size\\(\\) >= 2");
}

TEST(Unsteady, OneFarBatchIsForgivenAndTwoInARowAreNot) {
  EXPECT_FALSE(machine_is_unsteady(std::vector<double>{1, 1.05, 1, 1.05, 1}, 0.015));
  EXPECT_TRUE(machine_is_unsteady(std::vector<double>{1, 1, 1.05, 0.95, 1}, 0.015));
  EXPECT_TRUE(machine_is_unsteady(std::vector<double>{1, 1, 1, 1.05, 1.05}, 0.015));
}

TEST(Unsteady, BothDirectionsAreEquallyFar) {
  EXPECT_FALSE(machine_is_unsteady(std::vector<double>{1 / 1.0149, 1.0149}, 0.015));
  EXPECT_TRUE(machine_is_unsteady(std::vector<double>{1 / 1.0151, 1.0151}, 0.015));
}

TEST(Unsteady, MissingRatiosCountAsFar) {
  EXPECT_TRUE(machine_is_unsteady(std::vector<double>{kNaN, 0}, 0.015));
  EXPECT_FALSE(machine_is_unsteady({}, 0.015));
}

}  // namespace
}  // namespace forge
