#include "problem/instance.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace forge {
namespace {

Expr expr(std::string_view text) { return *Expr::parse(text); }

TensorParam tensor(std::string name, Direction direction, std::vector<Expr> shape) {
  TensorParam out;
  out.name = std::move(name);
  out.direction = direction;
  out.shape = std::move(shape);
  return out;
}

// y[n][m], with dims n and m, a float scalar s and an integer scalar k.
Problem small_problem() {
  Problem problem;
  problem.signature.dims = {"n", "m"};
  problem.signature.scalars = {{"s", Dtype::kF32}, {"k", Dtype::kI16}};
  problem.signature.tensors = {tensor("y", Direction::kOutput, {expr("n"), expr("m")})};
  return problem;
}

ShapeSpec small_shape() {
  ShapeSpec shape;
  shape.name = "a";
  shape.dims = {{"n", 3}, {"m", 5}};
  shape.scalars = {{"s", 0.1}, {"k", std::int64_t{7}}};
  return shape;
}

InputGroup group(ScalarValues scalars = {}) { return {"g", "purpose", std::move(scalars), {}}; }

std::string message_of(const Problem& problem, const ShapeSpec& shape, const InputGroup& inputs) {
  const auto instance = instantiate(problem, shape, inputs);
  return instance ? "no error" : instance.error().message();
}

TEST(Instantiate, EvaluatesShapesAndDefaultsToContiguousStrides) {
  const Problem problem = small_problem();
  const auto instance = instantiate(problem, small_shape(), group());
  ASSERT_TRUE(instance);
  EXPECT_EQ(instance->tensors[0].layout, TensorLayout::contiguous(Dtype::kF32, {3, 5}));
  EXPECT_EQ(instance->tensors[0].param, &problem.signature.tensors[0]);
  EXPECT_EQ(instance->dims, (Bindings{{"n", 3}, {"m", 5}}));
  EXPECT_EQ(instance->work_bytes, std::nullopt);
}

TEST(Instantiate, ScalarsAreRoundedToTheirTypeAsTheKernelSeesThem) {
  const Problem problem = small_problem();
  const auto instance = instantiate(problem, small_shape(), group());
  ASSERT_TRUE(instance);
  EXPECT_EQ(std::get<double>(instance->scalars[0].value), static_cast<double>(0.1f));
  EXPECT_EQ(std::get<std::int64_t>(instance->scalars[1].value), 7);
}

TEST(Instantiate, AGroupOverridesTheShapesScalars) {
  Problem problem = small_problem();
  problem.signature.tensors[0].shape[0] = expr("n*k");
  const auto instance = instantiate(problem, small_shape(), group({{"k", std::int64_t{2}}}));
  ASSERT_TRUE(instance);
  EXPECT_EQ(instance->tensors[0].layout.shape[0], 6);
}

TEST(Instantiate, LeavesAbsentOptionalTensorsOut) {
  Problem problem = small_problem();
  problem.signature.tensors.insert(problem.signature.tensors.begin(),
                                   tensor("w", Direction::kInput, {expr("m")}));
  problem.signature.tensors[0].presence = Presence::kOptional;
  InputGroup without = group();
  without.absent = {"w"};
  const auto instance = instantiate(problem, small_shape(), without);
  ASSERT_TRUE(instance);
  EXPECT_FALSE(instance->tensors[0].present);
  EXPECT_TRUE(instance->tensors[1].present);
}

TEST(Instantiate, EvaluatesRangesAndWork) {
  Problem problem = small_problem();
  TensorParam offsets = tensor("o", Direction::kInput, {expr("n+1")});
  offsets.dtype = Dtype::kI32;
  offsets.range = IntegerRange{Expr::constant(0), expr("m-1")};
  problem.signature.tensors.push_back(offsets);
  problem.work.bytes = expr("4*n*m");
  const auto instance = instantiate(problem, small_shape(), group());
  ASSERT_TRUE(instance);
  EXPECT_EQ(instance->tensors[1].range_low, 0);
  EXPECT_EQ(instance->tensors[1].range_high, 4);
  EXPECT_EQ(instance->work_bytes, 60);
}

TEST(Instantiate, RefusesRangesThatAreEmptyOrDoNotFit) {
  Problem problem = small_problem();
  TensorParam& y = problem.signature.tensors[0];
  y.dtype = Dtype::kU8;
  y.range = IntegerRange{Expr::constant(9), expr("m")};
  EXPECT_EQ(message_of(problem, small_shape(), group()),
            "cannot use shape 'a' with group 'g': the range of 'y' is empty: 9 is above 5");
  y.range = IntegerRange{Expr::constant(0), expr("256")};
  EXPECT_EQ(message_of(problem, small_shape(), group()),
            "cannot use shape 'a' with group 'g': the range of 'y', 0 to 256, does not fit into "
            "u8");
}

TEST(Instantiate, RefusesNegativeExtentsAndStrides) {
  Problem problem = small_problem();
  problem.signature.tensors[0].shape[1] = expr("m-6");
  EXPECT_EQ(message_of(problem, small_shape(), group()),
            "cannot use shape 'a' with group 'g': the shape of 'y': 'm-6' is -1; it must not be "
            "negative");
  problem.signature.tensors[0].shape[1] = expr("m");
  problem.signature.tensors[0].strides = {expr("m"), expr("-1")};
  EXPECT_EQ(message_of(problem, small_shape(), group()),
            "cannot use shape 'a' with group 'g': the strides of 'y': '-1' is -1; it must not be "
            "negative");
}

TEST(Instantiate, RefusesScalarsThatDoNotFit) {
  const Problem problem = small_problem();
  EXPECT_EQ(message_of(problem, small_shape(), group({{"k", std::int64_t{40000}}})),
            "cannot use shape 'a' with group 'g': the value 40000 of scalar 'k' does not fit into "
            "i16");
  EXPECT_EQ(message_of(problem, small_shape(), group({{"s", 1e300}})),
            "cannot use shape 'a' with group 'g': the value 1e+300 of scalar 's' does not fit into "
            "f32");
  EXPECT_EQ(message_of(problem, small_shape(), group({{"k", 1.5}})),
            "cannot use shape 'a' with group 'g': the value 1.5 of scalar 'k' is no integer, but "
            "it is i16");
  ShapeSpec without = small_shape();
  without.scalars.clear();
  EXPECT_EQ(message_of(problem, without, group()),
            "cannot use shape 'a' with group 'g': scalar 's' has no value; give it in the shape's "
            "or in the group's 'scalars'");
}

TEST(Instantiate, OnlyInputsMayOverlapThemselves) {
  Problem problem = small_problem();
  problem.signature.tensors.push_back(tensor("x", Direction::kInput, {expr("n"), expr("m")}));
  problem.signature.tensors[1].strides = {Expr::constant(0), Expr::constant(1)};
  EXPECT_EQ(message_of(problem, small_shape(), group()), "no error");
  problem.signature.tensors[1].direction = Direction::kInOut;
  EXPECT_EQ(message_of(problem, small_shape(), group()),
            "cannot use shape 'a' with group 'g': the strides of 'x' make its elements overlap or "
            "interleave; in outputs and in-outs each stride must exceed what the smaller ones "
            "reach");
}

// The offsets of all elements, in elements.
std::vector<std::int64_t> offsets(const std::vector<std::int64_t>& shape,
                                  const std::vector<std::int64_t>& strides) {
  std::vector<std::int64_t> out{0};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::vector<std::int64_t> next;
    for (const std::int64_t base : out) {
      for (std::int64_t j = 0; j < shape[i]; ++j) next.push_back(base + j * strides[i]);
    }
    out = std::move(next);
  }
  return out;
}

bool accepts_output(const std::vector<std::int64_t>& shape,
                    const std::vector<std::int64_t>& strides) {
  Problem problem;
  TensorParam y = tensor("y", Direction::kOutput, {});
  y.strides.emplace();
  for (const std::int64_t extent : shape) y.shape.push_back(Expr::constant(extent));
  for (const std::int64_t stride : strides) y.strides->push_back(Expr::constant(stride));
  problem.signature.tensors = {y};
  return instantiate(problem, {"a", {}, {}, {}}, group()).has_value();
}

RC_GTEST_PROP(Instantiate, AcceptedOutputsNeverOverlap, ()) {
  const auto rank = *rc::gen::inRange<std::size_t>(1, 4);
  const auto shape =
      *rc::gen::container<std::vector<std::int64_t>>(rank, rc::gen::inRange<std::int64_t>(1, 6));
  const auto strides =
      *rc::gen::container<std::vector<std::int64_t>>(rank, rc::gen::inRange<std::int64_t>(0, 40));
  const auto all = offsets(shape, strides);
  const bool distinct = std::set<std::int64_t>(all.begin(), all.end()).size() == all.size();
  if (accepts_output(shape, strides)) RC_ASSERT(distinct);
  if (!distinct) RC_ASSERT(!accepts_output(shape, strides));
}

RC_GTEST_PROP(Instantiate, PermutedAndPaddedOutputsAreAccepted, ()) {
  const auto rank = *rc::gen::inRange<std::size_t>(1, 5);
  const auto shape =
      *rc::gen::container<std::vector<std::int64_t>>(rank, rc::gen::inRange<std::int64_t>(1, 6));
  std::vector<std::size_t> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = i;
  const auto swaps =
      *rc::gen::container<std::vector<std::size_t>>(rank, rc::gen::inRange<std::size_t>(0, rank));
  for (std::size_t i = 0; i < rank; ++i) std::swap(order[i], order[swaps[i]]);
  std::vector<std::int64_t> strides(rank);
  std::int64_t stride = 1;
  for (const std::size_t dimension : order) {
    strides[dimension] = stride;
    stride *= shape[dimension] + *rc::gen::inRange<std::int64_t>(0, 3);
  }
  RC_ASSERT(accepts_output(shape, strides));
}

RC_GTEST_PROP(Instantiate, NeverOverflowsOnAnyExtents, ()) {
  const auto shape = *rc::gen::arbitrary<std::vector<std::int64_t>>();
  const auto strides = *rc::gen::container<std::vector<std::int64_t>>(
      shape.size(), rc::gen::arbitrary<std::int64_t>());
  Problem problem;
  TensorParam y = tensor("y", Direction::kOutput, {});
  for (const std::int64_t extent : shape) y.shape.push_back(Expr::constant(extent));
  if (*rc::gen::arbitrary<bool>()) {
    y.strides.emplace();
    for (const std::int64_t step : strides) y.strides->push_back(Expr::constant(step));
  }
  problem.signature.tensors = {y};
  const auto instance = instantiate(problem, {"a", {}, {}, {}}, group());
  if (instance) {
    RC_ASSERT(instance->tensors[0].layout.span_bytes() <= std::size_t{1} << 46);
  }
}

}  // namespace
}  // namespace forge
