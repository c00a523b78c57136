#include "judge/tolerance.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "base/random.h"
#include "judge/compare.h"

namespace forge {
namespace {

// RMS normalisation in f32 with a given way of adding, rounded to bf16, against f64.
struct Normalised {
  std::vector<double> exact;
  std::vector<std::byte> expected;
};

constexpr std::int64_t kRows = 16;
constexpr std::int64_t kCols = 2000;

std::vector<float> input() {
  Random random(42);
  std::vector<float> x(kRows * kCols);
  for (float& value : x) value = static_cast<float>(random.normal());
  return x;
}

template <typename Sum>
std::vector<std::byte> normalise(const std::vector<float>& x, Dtype output, Sum sum_of_squares) {
  std::vector<std::byte> y(x.size() * dtype_bytes(output));
  for (std::int64_t i = 0; i < kRows; ++i) {
    const float* row = x.data() + i * kCols;
    const double scale = 1 / std::sqrt(static_cast<double>(sum_of_squares(row)) / kCols);
    for (std::int64_t j = 0; j < kCols; ++j) {
      const auto at = static_cast<std::size_t>(i * kCols + j) * dtype_bytes(output);
      encode_element(output, row[j] * scale, y.data() + at);
    }
  }
  return y;
}

double exact_sum(const float* row) {
  double sum = 0;
  for (std::int64_t j = 0; j < kCols; ++j) sum += double{row[j]} * double{row[j]};
  return sum;
}
float forwards(const float* row) {
  float sum = 0;
  for (std::int64_t j = 0; j < kCols; ++j) sum += row[j] * row[j];
  return sum;
}
float backwards(const float* row) {
  float sum = 0;
  for (std::int64_t j = kCols; j > 0; --j) sum += row[j - 1] * row[j - 1];
  return sum;
}
float in_lanes(const float* row) {
  float lanes[16] = {};
  for (std::int64_t j = 0; j < kCols; ++j) lanes[j % 16] += row[j] * row[j];
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

class AlternativeOrders : public testing::TestWithParam<Dtype> {};
INSTANTIATE_TEST_SUITE_P(Tolerance, AlternativeOrders,
                         testing::Values(Dtype::kBf16, Dtype::kF16, Dtype::kF32));

TEST_P(AlternativeOrders, OfSummationPassUnderEachOthersCalibration) {
  const Dtype dtype = GetParam();
  const std::vector<float> x = input();
  const TensorLayout layout = TensorLayout::contiguous(dtype, {kRows, kCols});
  const auto expected = normalise(x, expected_dtype(dtype), exact_sum);
  const RowScales scales = row_scales(dtype, layout.shape, expected);
  const std::vector<std::vector<std::byte>> outputs = {
      normalise(x, dtype, forwards), normalise(x, dtype, backwards), normalise(x, dtype, in_lanes)};
  for (const auto& reference : outputs) {
    const double worst = compare_output(layout, reference.data(), expected, scales, 0).worst_error;
    EXPECT_LT(worst, alignment_limit(dtype));
    const double allowed = calibrate(worst, dtype, nullptr);
    // The lanes lose least, so that only they can be too strict a reference for the others.
    if (&reference == &outputs[2] && dtype == Dtype::kF32) continue;
    for (const auto& other : outputs) {
      EXPECT_EQ(compare_output(layout, other.data(), expected, scales, allowed).wrong_elements, 0);
    }
  }
}

TEST_P(AlternativeOrders, DoNotExcuseTheRowBeforeInstead) {
  const Dtype dtype = GetParam();
  const std::vector<float> x = input();
  const TensorLayout layout = TensorLayout::contiguous(dtype, {kRows, kCols});
  const auto expected = normalise(x, expected_dtype(dtype), exact_sum);
  const RowScales scales = row_scales(dtype, layout.shape, expected);
  std::vector<std::byte> shifted = normalise(x, dtype, forwards);
  const std::size_t row_bytes = kCols * dtype_bytes(dtype);
  std::rotate(shifted.begin(), shifted.begin() + static_cast<std::ptrdiff_t>(row_bytes),
              shifted.end());
  const double allowed = 2 * alignment_limit(dtype);
  EXPECT_GT(compare_output(layout, shifted.data(), expected, scales, allowed).wrong_elements,
            kRows * kCols / 2);
}

TEST(Tolerance, CalibratesTwiceTheReferencesWorstErrorButNotBelowTheFloor) {
  EXPECT_DOUBLE_EQ(calibrate(0.01, Dtype::kBf16, nullptr), 0.02);
  EXPECT_DOUBLE_EQ(calibrate(0, Dtype::kBf16, nullptr), 0x1p-7);
  EXPECT_DOUBLE_EQ(calibrate(1e-9, Dtype::kF32, nullptr), 0x1p-23);
  EXPECT_EQ(calibrate(0, Dtype::kI32, nullptr), 0);
}

TEST(Tolerance, AnUnboundedReferenceErrorLoosensNothing) {
  EXPECT_EQ(calibrate(std::numeric_limits<double>::infinity(), Dtype::kF32, nullptr), 0x1p-23);
}

TEST(Tolerance, AnOverrideReplacesFactorAndFloor) {
  ToleranceOverride stricter;
  stricter.factor = 1.5;
  stricter.floor = 1e-3;
  EXPECT_DOUBLE_EQ(calibrate(0.01, Dtype::kBf16, &stricter), 0.015);
  EXPECT_DOUBLE_EQ(calibrate(0, Dtype::kBf16, &stricter), 1e-3);
}

TEST(Tolerance, EveryFloatsFloorIsItsMachineEpsilonAndUnderItsAlignmentLimit) {
  for (const Dtype dtype : all_dtypes()) {
    if (!is_float(dtype)) {
      EXPECT_EQ(tolerance_floor(dtype), 0);
      continue;
    }
    // The next number above 1 is one epsilon away.
    std::byte bytes[8];
    const double next = 1 + tolerance_floor(dtype);
    encode_element(dtype, next, bytes);
    EXPECT_EQ(decode_element(dtype, bytes), next) << dtype_name(dtype);
    encode_element(dtype, 1 + tolerance_floor(dtype) / 2, bytes);
    EXPECT_EQ(decode_element(dtype, bytes), 1) << dtype_name(dtype);
    EXPECT_LE(tolerance_floor(dtype), alignment_limit(dtype));
  }
}

TEST(ToleranceTable, SurvivesJson) {
  ToleranceTable table;
  table.allowed[{"y", "large", "typical"}] = 0.0078125;
  table.allowed[{"y", "large", "extremes"}] = 1.0 / 3;
  table.allowed[{"index", "small", "typical"}] = 0;
  const Json json = to_json(table);
  const auto text = parse_json(json.dump(), "table");
  ASSERT_TRUE(text.has_value());
  const auto back = tolerance_from_json(JsonReader(*text, "table"));
  ASSERT_TRUE(back.has_value()) << back.error().message();
  EXPECT_EQ(back->allowed, table.allowed);
  EXPECT_EQ(back->of({"y", "large", "extremes"}), 1.0 / 3);
}

TEST(ToleranceTable, RefusesNegativeValuesAndDuplicates) {
  for (const char* text :
       {R"({"kinds":[{"output":"y","shape":"s","group":"g","allowed":-1}]})",
        R"({"kinds":[{"output":"y","shape":"s","group":"g","allowed":1},
                     {"output":"y","shape":"s","group":"g","allowed":2}]})",
        R"({"kinds":[{"output":"y","shape":"s","allowed":1}]})", R"({"kinds":[],"more":1})"}) {
    const auto json = parse_json(text, "table");
    ASSERT_TRUE(json.has_value());
    EXPECT_FALSE(tolerance_from_json(JsonReader(*json, "table")).has_value()) << text;
  }
}

}  // namespace
}  // namespace forge
