#include "search/space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using ::testing::ElementsAre;

Space tiles() {
  Space space;
  space.parameters = {{"kTile", ParameterKind::kTuning, {"16", "64", "24"}, 1},
                      {"kVec", ParameterKind::kTuning, {"8", "16"}, 0},
                      {"kTwoPass", ParameterKind::kStructure, {"false", "true"}, 1}};
  for (const char* text : {"kTile % kVec == 0", "!kTwoPass || kVec == 8", "kNobody > 1"}) {
    space.requirements.push_back(*Condition::parse(text));
  }
  return space;
}

TEST(Space, HoldsTheLegalPointsInOrder) {
  const auto points = tiles().points(100);
  ASSERT_TRUE(points);
  EXPECT_EQ(tiles().combinations(), 12);
  EXPECT_EQ(points->size(), 8u);
  EXPECT_TRUE(std::is_sorted(points->begin(), points->end()));
  for (const Point& point : *points) EXPECT_TRUE(tiles().allows(point));
  EXPECT_FALSE(tiles().allows({2, 1, 0}));  // 24 % 16
  EXPECT_FALSE(tiles().allows({1, 1, 1}));
}

TEST(Space, SaysWhenThereAreTooManyPoints) {
  EXPECT_TRUE(tiles().points(8));
  EXPECT_FALSE(tiles().points(7));
}

TEST(Space, TranslatesBetweenPointsAndSettings) {
  const Space space = tiles();
  EXPECT_THAT(space.start(), ElementsAre(1, 0, 1));
  const auto settings = space.settings({2, 0, 1});
  EXPECT_EQ(settings.at("kTile"), "24");
  EXPECT_EQ(space.point(settings), (Point{2, 0, 1}));
  auto unknown = settings;
  unknown["kVec"] = "4";
  EXPECT_EQ(space.point(unknown), std::nullopt);
  unknown.erase("kVec");
  EXPECT_EQ(space.point(unknown), std::nullopt);
}

TEST(Scale, IsTheOrderOfTheNumbersOfASize) {
  Parameter parameter{"kTile", ParameterKind::kTuning, {"32", "0", "8"}, 0};
  EXPECT_THAT(*scale_of(parameter), ElementsAre(1, 0, 0.5));
  parameter.kind = ParameterKind::kStructure;
  EXPECT_FALSE(scale_of(parameter));
  EXPECT_FALSE(scale_of({"kMode", ParameterKind::kTuning, {"1", "kA", "2"}, 0}));
  EXPECT_FALSE(scale_of({"kTwo", ParameterKind::kTuning, {"1", "2"}, 0}));
}

}  // namespace
}  // namespace forge
