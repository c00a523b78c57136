#include "search/surrogate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace forge {
namespace {

std::vector<Parameter> parameters() {
  return {{"kTwo", ParameterKind::kStructure, {"false", "true"}, 0},
          {"kVec", ParameterKind::kTuning, {"1", "2", "4", "8", "16"}, 0},
          {"kNothing", ParameterKind::kTuning, {"1", "2", "3"}, 0}};
}

double truth(const Point& point) {
  return 0.2 * point[0] + 0.1 * std::abs(point[1] - 3.0) -
         (point[0] == 1 && point[1] == 3 ? 0.3 : 0);
}

std::vector<Sample> samples_of(const std::vector<Point>& points, double noise) {
  Random random(5);
  std::vector<Sample> samples;
  for (const Point& point : points) {
    samples.push_back(
        {point, truth(point) + noise * random.normal(), 1, static_cast<int>(samples.size())});
  }
  return samples;
}

std::vector<Point> all_points() {
  Space space;
  space.parameters = parameters();
  return *space.points(1000);
}

double variance(const Surrogate& surrogate, const Point& point) {
  double left = surrogate.kernel(point, point);
  for (const double value : surrogate.half_solved(point)) left -= value * value;
  return left;
}

TEST(Cholesky, SolvesWhatItFactorised) {
  Matrix matrix(3);
  const double rows[3][3] = {{4, 2, 1}, {2, 5, 3}, {1, 3, 6}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) matrix.at(i, j) = rows[i][j];
  }
  ASSERT_TRUE(factorise(matrix));
  EXPECT_NEAR(log_determinant(matrix), std::log(67.0), 1e-12);
  std::vector<double> x = {9, 21, 25};  // of (1, 2, 3)ᵀ … computed by hand below
  for (std::size_t i = 0; i < 3; ++i) x[i] = rows[i][0] * 1 + rows[i][1] * 2 + rows[i][2] * 3;
  solve_lower(matrix, x);
  solve_upper(matrix, x);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], static_cast<double>(i + 1), 1e-12);
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  Matrix matrix(2);
  matrix.at(0, 0) = 1;
  matrix.at(1, 0) = 2;
  matrix.at(1, 1) = 1;
  EXPECT_FALSE(factorise(matrix));
}

TEST(Surrogate, PredictsPointsThatItHasNotSeen) {
  auto points = all_points();
  Random(3).shuffle(points);
  const std::vector<Point> seen(points.begin(), points.begin() + 18);
  Surrogate surrogate(parameters(), samples_of(seen, 0.001));
  surrogate.fit();
  double squared = 0;
  for (std::size_t i = 18; i < points.size(); ++i) {
    const double error = surrogate.mean(surrogate.half_solved(points[i])) - truth(points[i]);
    squared += error * error;
  }
  EXPECT_LT(std::sqrt(squared / 12), 0.05);
}

TEST(Surrogate, FindsWhichParametersMatterAndHowNoisyTrialsAre) {
  Surrogate surrogate(parameters(), samples_of(all_points(), 0.02));
  surrogate.fit();
  const auto& beliefs = surrogate.beliefs();
  EXPECT_LT(beliefs.relevance[2], beliefs.relevance[0]);
  EXPECT_LT(beliefs.relevance[2], beliefs.relevance[1]);
  EXPECT_NEAR(std::log(beliefs.noise / (0.02 / std::sqrt(2.0))), 0, 0.7);
}

TEST(Surrogate, IsSurerOfWhatWasMeasuredMoreOften) {
  std::vector<Sample> samples = samples_of({{0, 0, 0}, {1, 4, 2}}, 0);
  samples[1].trials = 16;
  Surrogate surrogate(parameters(), samples);
  surrogate.fit();
  EXPECT_LT(variance(surrogate, {1, 4, 2}), variance(surrogate, {0, 0, 0}));
  EXPECT_LT(variance(surrogate, {0, 0, 0}), variance(surrogate, {0, 4, 1}));
}

TEST(Surrogate, WithoutSamplesBelievesWhatIsExpected) {
  Surrogate surrogate(parameters(), {});
  surrogate.fit();
  EXPECT_EQ(surrogate.mean(surrogate.half_solved({0, 0, 0})), 0);
  EXPECT_GT(variance(surrogate, {0, 0, 0}), 0);
}

}  // namespace
}  // namespace forge
