#include "driver/kernel_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kKernel =
    "FORGE_SHAPES(dims.cols >= 8192, dims.rows < 64);\n"
    "FORGE_STRUCTURE(bool, kTwoPass, true, false, true);\n"
    "FORGE_TUNABLE_BY_SHAPE(int, kVec, (8, 4, 1), 1, 4, 8);\n"
    "FORGE_REQUIRE(sizeof(int) == 4);\n"
    "FORGE_REQUIRE(!kTwoPass || kVec[0] > 1);\n";

KernelChoices choices(std::string_view kernel) {
  auto found = scan_choices(kernel, "kernel.cpp");
  if (!found) invariant_failed(__FILE__, __LINE__, found.error().message());
  return std::move(*found);
}

Problem problem() {
  Problem problem;
  problem.shapes = {{"long", {{"rows", 100}, {"cols", 9000}}, {}, {}},
                    {"short", {{"rows", 100}, {"cols", 90}}, {}, {}}};
  return problem;
}

TEST(KernelSpace, HasTheKernelsChoicesOnTheProblemsShapes) {
  const auto space = kernel_space(choices(kKernel), problem());
  ASSERT_TRUE(space) << space.error().message();
  EXPECT_THAT(space->shape_classes, ElementsAre(0, 2));
  ASSERT_EQ(space->parameters.size(), 4u);
  EXPECT_EQ(space->parameters[0].kind, ParameterKind::kStructure);
  EXPECT_EQ(space->parameters[0].start, 1u);
  EXPECT_EQ(space->parameters[1].name, "kVec[0]");
  EXPECT_EQ(space->parameters[1].start, 2u);
  EXPECT_THAT(space->parameters[2].values, ElementsAre("4")) << "no shape is of class 1";
  EXPECT_EQ(space->requirements.size(), 1u) << "sizeof is left to the compiler";
  EXPECT_EQ(space->points(100)->size(), 2 * 3 * 3 - 3u);
}

TEST(KernelSpace, NeedsToKnowTheClassOfEachShape) {
  const auto space = kernel_space(choices("FORGE_SHAPES(is_large(dims));"), problem());
  ASSERT_FALSE(space);
  EXPECT_THAT(space.error().message(), HasSubstr("'is_large(dims)' of FORGE_SHAPES can't be read"));
}

TEST(SpaceDigest, ForgetsDefaultsAndNothingElse) {
  const auto digest = [](std::string kernel) { return space_digest(kernel, choices(kernel)); };
  EXPECT_EQ(digest("FORGE_TUNABLE(int, kA, 1, 1, 2);"), digest("FORGE_TUNABLE(int, kA, 2, 1, 2);"));
  EXPECT_NE(digest("FORGE_TUNABLE(int, kA, 1, 1, 2);"), digest("FORGE_TUNABLE(int, kA, 1, 1, 3);"));
  EXPECT_NE(digest("FORGE_TUNABLE(int, kA, 1, 1);"),
            digest("FORGE_TUNABLE(int, kA, 1, 1); int b;"));
}

}  // namespace
}  // namespace forge
