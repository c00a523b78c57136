#include "judge/mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace forge {
namespace {

std::vector<std::byte> stored(Dtype dtype, const std::vector<double>& values) {
  std::vector<std::byte> bytes(values.size() * dtype_bytes(dtype));
  for (std::size_t i = 0; i < values.size(); ++i) {
    encode_element(dtype, values[i], bytes.data() + i * dtype_bytes(dtype));
  }
  return bytes;
}

RightAnswer right(Dtype dtype, const std::vector<std::int64_t>& shape,
                  const std::vector<double>& values) {
  const auto expected = stored(expected_dtype(dtype), values);
  return right_answer(dtype, shape, expected, row_scales(dtype, shape, expected));
}

// Values that no mutant leaves alone: distinct, of no round size, and legal in every type.
RightAnswer some(Dtype dtype, const std::vector<std::int64_t>& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) elements *= extent;
  std::vector<double> values;
  for (std::int64_t i = 0; i < elements; ++i) {
    values.push_back(is_float(dtype)
                         ? 1.7 + 0.9 * std::sin(static_cast<double>(i + 1))
                         : static_cast<double>((i + 2) % 7 % (dtype == Dtype::kBool ? 2 : 7)));
  }
  return right(dtype, shape, values);
}

std::vector<double> values(Dtype dtype, const std::vector<std::byte>& bytes) {
  std::vector<double> result;
  for (std::size_t at = 0; at < bytes.size(); at += dtype_bytes(dtype)) {
    result.push_back(decode_element(dtype, bytes.data() + at));
  }
  return result;
}

std::optional<std::vector<std::byte>> mutated(MutantKind kind, const RightAnswer& answer,
                                              const MutantParts& parts = {}) {
  Random random(7);
  return mutate({kind, ""}, answer, parts, random);
}

// Whether the standard rule, at its floor, finds it.
bool is_caught(const RightAnswer& answer, const std::vector<std::byte>& bytes, double allowed) {
  const Dtype wide = expected_dtype(answer.dtype);
  const auto expected = stored(wide, values(answer.dtype, answer.bytes));
  return compare_output(TensorLayout::contiguous(answer.dtype, answer.shape), bytes.data(),
                        expected, answer.scales, allowed)
             .wrong_elements > 0;
}

double floor_of(Dtype dtype) {
  // Machine epsilon: the distance from 1 to the next number.
  for (double step = 1; step > 0; step /= 2) {
    std::byte one[8];
    std::byte next[8];
    encode_element(dtype, 1, one);
    encode_element(dtype, 1 + step / 2 * 1.0001, next);
    if (std::memcmp(one, next, dtype_bytes(dtype)) == 0) return step;
  }
  return 0;
}

class AnyTensor : public testing::TestWithParam<std::tuple<Dtype, std::vector<std::int64_t>>> {};

TEST_P(AnyTensor, EveryMutantIsCaughtUnderTheDtypesFloorAndTheRightAnswerPasses) {
  const auto& [dtype, shape] = GetParam();
  const RightAnswer answer = some(dtype, shape);
  const double allowed = is_float(dtype) ? floor_of(dtype) : 0;
  EXPECT_FALSE(is_caught(answer, answer.bytes, allowed));
  std::vector<double> others = values(dtype, answer.bytes);
  for (double& value : others) value = is_float(dtype) ? 3 - value : value == 0 ? 1 : 0;
  const RightAnswer other = right(dtype, shape, others);
  const auto input = stored(Dtype::kF32, {0.1, 0.2, 0.3});
  MutantParts parts{Source{TensorLayout::contiguous(Dtype::kF32, {3}), input.data()}, &other};
  for (const MutantKind kind :
       {MutantKind::kUnwritten, MutantKind::kZeros, MutantKind::kOnes, MutantKind::kCopy,
        MutantKind::kOtherCase, MutantKind::kLastRowUnwritten, MutantKind::kLastRowZero,
        MutantKind::kOneElement, MutantKind::kSwappedRows, MutantKind::kNarrower}) {
    const auto bytes = mutated(kind, answer, parts);
    if (!bytes) {
      const bool absent =
          (kind == MutantKind::kSwappedRows && answer.rows() == 1) ||
          (kind == MutantKind::kNarrower && dtype_bytes(dtype) == 1 && shape.empty()) ||
          !is_float(dtype);
      EXPECT_TRUE(absent) << describe({kind, "x"});
      continue;
    }
    EXPECT_EQ(bytes->size(), answer.bytes.size());
    EXPECT_TRUE(is_caught(answer, *bytes, allowed)) << describe({kind, "x"});
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryDtypeAndRank, AnyTensor,
    testing::Combine(testing::ValuesIn(all_dtypes().begin(), all_dtypes().end()),
                     testing::Values(std::vector<std::int64_t>{}, std::vector<std::int64_t>{65},
                                     std::vector<std::int64_t>{5, 33},
                                     std::vector<std::int64_t>{3, 4, 17},
                                     std::vector<std::int64_t>{2, 3, 5, 16})),
    [](const auto& tested) {
      return std::string(dtype_name(std::get<0>(tested.param))) + "_rank" +
             std::to_string(std::get<1>(tested.param).size());
    });

TEST(Mutants, TheAnswerItselfIsNoMutant) {
  const RightAnswer zeros = right(Dtype::kF32, {2, 40}, std::vector<double>(80, 0));
  EXPECT_FALSE(mutated(MutantKind::kZeros, zeros));
  EXPECT_FALSE(mutated(MutantKind::kLastRowZero, zeros));
  EXPECT_FALSE(mutated(MutantKind::kSwappedRows, zeros)) << "the rows are alike";
  EXPECT_FALSE(mutated(MutantKind::kNarrower, zeros));
  EXPECT_FALSE(mutated(MutantKind::kOtherCase, zeros, {std::nullopt, &zeros}));
  EXPECT_TRUE(mutated(MutantKind::kOneElement, zeros));
  const RightAnswer empty = right(Dtype::kF32, {0, 4}, {});
  EXPECT_FALSE(mutated(MutantKind::kUnwritten, empty));
}

TEST(Mutants, OneElementIsOffByItselfAndItsRowsScale) {
  const RightAnswer answer = some(Dtype::kF64, {4, 40});
  const auto before = values(Dtype::kF64, answer.bytes);
  const auto after = values(Dtype::kF64, *mutated(MutantKind::kOneElement, answer));
  int changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i]) continue;
    ++changed;
    EXPECT_DOUBLE_EQ(after[i], 2 * before[i] + answer.scales.scale[i / 40]);
  }
  EXPECT_EQ(changed, 1);
}

TEST(Mutants, OfIntegersTheWrongElementIsTheFarthestThatOccurs) {
  std::vector<double> counts(50, 10);
  counts[20] = 300;
  const auto after =
      values(Dtype::kI32, *mutated(MutantKind::kOneElement, right(Dtype::kI32, {50}, counts)));
  int at_the_far_end = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (after[i] != counts[i]) at_the_far_end += after[i] == 300 || after[i] == 10 ? 1 : 0;
  }
  EXPECT_EQ(at_the_far_end, 1);
}

TEST(Mutants, ACopyRepeatsAnInputThatIsSmallerAndFollowsItsStrides) {
  const auto input = stored(Dtype::kF32, {1, 99, 2, 99, 3});
  const Source every_other{{Dtype::kF32, {3}, {2}}, input.data()};
  const auto after = mutated(MutantKind::kCopy, some(Dtype::kF16, {2, 2}), {every_other, nullptr});
  ASSERT_TRUE(after);
  EXPECT_THAT(values(Dtype::kF16, *after), testing::ElementsAre(1, 2, 3, 1));
}

TEST(Mutants, NarrowerRoundsToNearestTiesToEvenAndCarries) {
  const RightAnswer answer = right(Dtype::kF32, {4}, {1 + 0x1p-11, 1 + 0x3p-11, 2 - 0x1p-12, -3.5});
  const auto after = mutated(MutantKind::kNarrower, answer);
  ASSERT_TRUE(after);
  EXPECT_THAT(values(Dtype::kF32, *after), testing::ElementsAre(1.0, 1 + 0x1p-9, 2.0, -3.5));
}

TEST(Mutants, DistinctValuesAreCountedUpToALimit) {
  const double nan = std::nan("");
  EXPECT_EQ(distinct_values(right(Dtype::kF32, {6}, {1, 0, 1, nan, nan, 0}), 9), 3);
  EXPECT_EQ(distinct_values(some(Dtype::kF32, {100}), 5), 5);
}

}  // namespace
}  // namespace forge
