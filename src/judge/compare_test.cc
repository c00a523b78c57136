#include "judge/compare.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "judge/tolerance.h"

namespace forge {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A tensor with what the oracle expects of it and what a kernel gave.
struct Output {
  TensorLayout layout;
  std::vector<std::byte> actual;
  std::vector<std::byte> expected;

  ComparedOutput compare(double allowed) const {
    return compare_output(layout, actual.data(), expected,
                          row_scales(layout.dtype, layout.shape, expected), allowed);
  }
  ComparedOutput compare() const { return compare(tolerance_floor(layout.dtype)); }
};

std::int64_t offset_of(const TensorLayout& layout, std::int64_t index) {
  std::int64_t offset = 0;
  const auto indices = multi_index(layout.shape, index);
  for (std::size_t d = 0; d < indices.size(); ++d) offset += indices[d] * layout.strides[d];
  return offset;
}

Output make_output(const TensorLayout& layout, const std::vector<double>& got,
                   const std::vector<double>& wanted) {
  Output output{layout, std::vector<std::byte>(layout.span_bytes(), std::byte{0xff}), {}};
  const std::size_t width = dtype_bytes(layout.dtype);
  const Dtype stored = expected_dtype(layout.dtype);
  output.expected.resize(wanted.size() * dtype_bytes(stored));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto at = static_cast<std::size_t>(offset_of(layout, static_cast<std::int64_t>(i)));
    encode_element(layout.dtype, got[i], output.actual.data() + at * width);
    encode_element(stored, wanted[i], output.expected.data() + i * dtype_bytes(stored));
  }
  return output;
}

Output make_output(Dtype dtype, std::vector<std::int64_t> shape, const std::vector<double>& got,
                   const std::vector<double>& wanted) {
  return make_output(TensorLayout::contiguous(dtype, std::move(shape)), got, wanted);
}

std::vector<double> normal_values(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = random.normal();
  return values;
}

// The rule as written down, one element at a time.
double plain_error(double y, double r, double s) { return std::abs(y - r) / (std::abs(r) + s); }

class EveryFloat : public testing::TestWithParam<Dtype> {};
INSTANTIATE_TEST_SUITE_P(Compare, EveryFloat,
                         testing::Values(Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBf16,
                                         Dtype::kF8E4m3, Dtype::kF8E5m2),
                         [](const auto& tested) { return std::string(dtype_name(tested.param)); });

TEST_P(EveryFloat, RoundingToTheDtypeStaysInsideItsFloorAtEveryRank) {
  const std::vector<std::vector<std::int64_t>> shapes = {
      {}, {1}, {100}, {7, 100}, {5, 3, 7}, {2, 3, 4, 50}, {1000, 2}};
  for (const auto& shape : shapes) {
    const TensorLayout layout = TensorLayout::contiguous(GetParam(), shape);
    const auto values = normal_values(layout.elements(), 7);
    const ComparedOutput result = make_output(layout, values, values).compare();
    EXPECT_EQ(result.wrong_elements, 0) << "rank " << shape.size();
    EXPECT_LE(result.worst_error, tolerance_floor(GetParam()));
    EXPECT_EQ(result.elements, layout.elements());
  }
}

TEST_P(EveryFloat, ZerosFailThoughOneHugeElementARowSwellsItsMeanSquare) {
  auto values = normal_values(64 * 4096, 1);
  for (std::size_t row = 0; row < 64; ++row) values[row * 4096 + 17] = 1e4;
  const std::vector<double> zeros(values.size(), 0.0);
  const ComparedOutput result =
      make_output(GetParam(), {64, 4096}, zeros, values).compare(alignment_limit(GetParam()));
  EXPECT_GT(result.wrong_elements, 64 * 4096 / 4);
}

TEST_P(EveryFloat, ZerosFailThoughFourTenthsOfTheRightAnswerAreZero) {
  auto values = normal_values(32 * 1000, 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 5 < 2) values[i] = 0;
  }
  const std::vector<double> zeros(values.size(), 0.0);
  const ComparedOutput result =
      make_output(GetParam(), {32, 1000}, zeros, values).compare(alignment_limit(GetParam()));
  EXPECT_GT(result.wrong_elements, 32 * 1000 / 4);
}

TEST_P(EveryFloat, OneElementOffIsFoundWhereItIs) {
  auto values = normal_values(40 * 300, 3);
  auto got = values;
  got[25 * 300 + 123] += 3;
  const ComparedOutput result = make_output(GetParam(), {40, 300}, got, values).compare();
  EXPECT_EQ(result.wrong_elements, 1);
  EXPECT_THAT(multi_index(std::vector<std::int64_t>{40, 300}, result.worst_index),
              ElementsAre(25, 123));
  EXPECT_NEAR(result.worst_got - result.worst_expected, 3, 0.5);
}

TEST_P(EveryFloat, NanAndInfinitiesMustMatchInPlaceAndSign) {
  // f8_e4m3 has NaN, and nothing to write an infinity with.
  const bool has_infinity = GetParam() != Dtype::kF8E4m3;
  auto values = normal_values(4 * 100, 4);
  values[10] = kNan;
  if (has_infinity) {
    values[20] = kInfinity;
    values[30] = -kInfinity;
  }
  EXPECT_EQ(make_output(GetParam(), {4, 100}, values, values).compare().wrong_elements, 0);
  const std::vector<std::pair<std::size_t, double>> wrongs = {
      {10, 1.0},  {40, kNan},  {10, kInfinity}, {20, -kInfinity},
      {20, kNan}, {20, 100.0}, {40, kInfinity}};
  for (std::size_t i = 0; i < (has_infinity ? wrongs.size() : 2); ++i) {
    const auto& [index, wrong] = wrongs[i];
    auto got = values;
    got[index] = wrong;
    const ComparedOutput result = make_output(GetParam(), {4, 100}, got, values).compare(1e9);
    EXPECT_EQ(result.wrong_elements, 1) << index << " " << wrong;
    EXPECT_EQ(result.worst_error, kInfinity);
    EXPECT_EQ(result.worst_index, static_cast<std::int64_t>(index));
  }
}

TEST_P(EveryFloat, StridesChangeNothing) {
  const auto values = normal_values(30 * 40, 5);
  auto got = values;
  got[700] += 0.5;
  const ComparedOutput dense = make_output(GetParam(), {30, 40}, got, values).compare();
  const ComparedOutput transposed =
      make_output(TensorLayout{GetParam(), {30, 40}, {1, 37}}, got, values).compare();
  EXPECT_EQ(dense.worst_error, transposed.worst_error);
  EXPECT_EQ(dense.worst_index, transposed.worst_index);
  EXPECT_EQ(dense.wrong_elements, transposed.wrong_elements);
}

TEST_P(EveryFloat, EmptyTensorsAreRight) {
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{0}, {0, 5}, {5, 0}, {2, 0, 3}}) {
    const ComparedOutput result = make_output(GetParam(), shape, {}, {}).compare();
    EXPECT_EQ(result.elements, 0);
    EXPECT_EQ(result.wrong_elements, 0);
    EXPECT_EQ(result.worst_error, 0);
  }
}

TEST_P(EveryFloat, RowsOfZerosAcceptZerosOnly) {
  const std::vector<double> zeros(3 * 64, 0.0);
  EXPECT_EQ(make_output(GetParam(), {3, 64}, zeros, zeros).compare().worst_error, 0);
  auto got = zeros;
  got[70] = 0.25;
  const ComparedOutput result = make_output(GetParam(), {3, 64}, got, zeros).compare();
  EXPECT_EQ(result.wrong_elements, 1);
  EXPECT_GT(result.worst_error, 1);
}

TEST_P(EveryFloat, LosingTheSmallestMagnitudesToZeroStaysInsideTheFloor) {
  const double vanishing = GetParam() == Dtype::kF16      ? 0x1p-24
                           : GetParam() == Dtype::kF8E4m3 ? 0x1p-9
                           : GetParam() == Dtype::kF8E5m2 ? 0x1p-16
                           : GetParam() == Dtype::kF64    ? 0x1p-1022
                                                          : 0x1p-126;
  const std::vector<double> tiny(100, vanishing);
  const std::vector<double> zeros(100, 0.0);
  EXPECT_EQ(make_output(GetParam(), {100}, zeros, tiny).compare().wrong_elements, 0);
}

RC_GTEST_PROP(Compare, AgreesWithTheRuleAppliedElementByElement, ()) {
  const auto dtype = *rc::gen::element(Dtype::kF64, Dtype::kF32, Dtype::kBf16, Dtype::kF16);
  const auto rows = *rc::gen::inRange<std::int64_t>(1, 6);
  const auto cols = *rc::gen::inRange<std::int64_t>(32, 700);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto wanted = normal_values(rows * cols, seed);
  auto got = wanted;
  Random random(seed, "noise");
  for (double& value : got) value *= 1 + 0.01 * random.normal();
  const double allowed = 0.01;
  const Output output = make_output(dtype, {rows, cols}, got, wanted);
  const RowScales scales = row_scales(dtype, output.layout.shape, output.expected);
  const ComparedOutput result = output.compare(allowed);

  double worst = 0;
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    const Dtype stored = expected_dtype(dtype);
    const auto at = static_cast<std::size_t>(i);
    const double y = decode_element(dtype, output.actual.data() + at * dtype_bytes(dtype));
    const double r = decode_element(stored, output.expected.data() + at * dtype_bytes(stored));
    const double error = plain_error(y, r, scales.scale[static_cast<std::size_t>(i / cols)]);
    worst = std::max(worst, error);
    wrong += error > allowed ? 1 : 0;
  }
  RC_ASSERT(std::abs(result.worst_error - worst) <= 1e-12 * worst);
  RC_ASSERT(result.wrong_elements == wrong);
}

TEST(Compare, HugeRowsDoNotOverflowIntoBeingRight) {
  const std::vector<double> huge(64, 3e38);
  std::vector<double> got = huge;
  got[5] = 1.5e38;
  EXPECT_EQ(make_output(Dtype::kBf16, {64}, huge, huge).compare().wrong_elements, 0);
  EXPECT_EQ(make_output(Dtype::kBf16, {64}, got, huge).compare().wrong_elements, 1);
  got[5] = -3e38;
  EXPECT_EQ(make_output(Dtype::kBf16, {64}, got, huge).compare().wrong_elements, 1);
}

TEST(Compare, InfinityMatchesWhatLiesBeyondTheDtypesRange) {
  std::vector<double> wanted(64, 1.0);
  wanted[3] = 70000;
  wanted[4] = -70000;
  std::vector<double> got = wanted;
  got[3] = kInfinity;
  got[4] = -kInfinity;
  EXPECT_EQ(make_output(Dtype::kF16, {64}, got, wanted).compare().wrong_elements, 0);
  got[3] = -kInfinity;
  EXPECT_EQ(make_output(Dtype::kF16, {64}, got, wanted).compare().wrong_elements, 1);
}

class EveryInteger : public testing::TestWithParam<Dtype> {};
INSTANTIATE_TEST_SUITE_P(Compare, EveryInteger,
                         testing::Values(Dtype::kI64, Dtype::kI32, Dtype::kI16, Dtype::kI8,
                                         Dtype::kU8, Dtype::kBool),
                         [](const auto& tested) { return std::string(dtype_name(tested.param)); });

TEST_P(EveryInteger, MatchesExactlyOrIsWrong) {
  for (const bool strided : {false, true}) {
    TensorLayout layout = TensorLayout::contiguous(GetParam(), {20, 60});
    if (strided) layout.strides = {1, 25};
    const std::vector<double> wanted(20 * 60, 1.0);
    EXPECT_EQ(make_output(layout, wanted, wanted).compare().wrong_elements, 0);
    auto got = wanted;
    got[777] = 0;
    got[900] = 0;
    const ComparedOutput result = make_output(layout, got, wanted).compare();
    EXPECT_EQ(result.wrong_elements, 2);
    EXPECT_EQ(result.worst_index, 777);
    EXPECT_EQ(result.worst_error, kInfinity);
    EXPECT_EQ(result.worst_expected, 1);
    EXPECT_EQ(result.worst_got, 0);
  }
}

TEST(Compare, SixtyFourBitIntegersAreExactBeyondWhatDoublesHold) {
  const std::vector<std::int64_t> wanted = {(std::int64_t{1} << 60) + 1, -5};
  const std::vector<std::int64_t> got = {std::int64_t{1} << 60, -5};
  const auto bytes = std::as_bytes(std::span(wanted));
  const ComparedOutput result = compare_output(
      TensorLayout::contiguous(Dtype::kI64, {2}), std::as_bytes(std::span(got)).data(), bytes,
      row_scales(Dtype::kI64, std::vector<std::int64_t>{2}, bytes), 0);
  EXPECT_EQ(result.wrong_elements, 1);
  EXPECT_EQ(result.worst_index, 0);
}

TEST(RowScales, ARowIsTheSmallestTrailingBlockOfAtLeast32Elements) {
  const auto rows = [](std::vector<std::int64_t> shape) {
    const std::vector<float> values(
        static_cast<std::size_t>(TensorLayout::contiguous(Dtype::kF32, shape).elements()), 1.0f);
    return row_scales(Dtype::kBf16, shape, std::as_bytes(std::span(values))).row_elements;
  };
  EXPECT_EQ(rows({}), 1);
  EXPECT_EQ(rows({10, 4}), 40);
  EXPECT_EQ(rows({10, 32}), 32);
  EXPECT_EQ(rows({10, 8, 4}), 32);
  EXPECT_EQ(rows({10, 16, 3}), 48);
  EXPECT_EQ(rows({2, 3}), 6);
}

TEST(RowScales, TheScaleIsTheLowerMedianOfFiniteNonZeroMagnitudes) {
  for (const std::int64_t cols : {40, 5000}) {
    auto values = normal_values(2 * cols, 11);
    values[0] = kInfinity;
    values[1] = kNan;
    values[2] = 0;
    values[3] = 1e30;
    std::vector<double> first(values.begin(), values.begin() + cols);
    std::erase_if(first, [](double v) { return !std::isfinite(v) || v == 0; });
    for (double& v : first) v = std::abs(v);
    std::sort(first.begin(), first.end());
    const std::vector<std::int64_t> shape = {2, cols};
    const RowScales scales = row_scales(Dtype::kF64, shape, std::as_bytes(std::span(values)));
    ASSERT_EQ(scales.scale.size(), 2u);
    EXPECT_EQ(scales.scale[0], first[(first.size() - 1) / 2]);

    const std::vector<float> narrow(values.begin(), values.end());
    EXPECT_THAT(row_scales(Dtype::kBf16, shape, std::as_bytes(std::span(narrow))).scale[0],
                DoubleNear(scales.scale[0], 1e-6));
  }
}

}  // namespace
}  // namespace forge
