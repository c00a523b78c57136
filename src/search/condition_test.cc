#include "search/condition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace forge {
namespace {

using ::testing::ElementsAre;

const std::map<std::string, std::string, std::less<>> kValues = {
    {"kTile", "64"},      {"kVec", "8"},    {"kVec[1]", "4"},         {"kTwoPass", "false"},
    {"dims.cols", "100"}, {"kScale", ".5"}, {"kMode", "Mode::kFast"}, {"kMask", "0x1f"}};

Truth truth(std::string_view text) {
  const auto condition = Condition::parse(text);
  if (!condition) {
    ADD_FAILURE() << "not parsed: " << text;
    return Truth::kUnknown;
  }
  return condition->evaluate([](std::string_view name) -> std::optional<std::string> {
    const auto found = kValues.find(name);
    if (found == kValues.end()) return std::nullopt;
    return found->second;
  });
}

TEST(Condition, BindsOperatorsAsCppDoes) {
  EXPECT_EQ(truth("kTile % kVec == 0"), Truth::kTrue);
  EXPECT_EQ(truth("2 + 3 * 4 == 14 && 10 - 4 - 3 == 3"), Truth::kTrue);
  EXPECT_EQ(truth("1 << 3 == 8"), Truth::kTrue);
  EXPECT_EQ(truth("1 + 1 << 2 == 8 || false && false"), Truth::kTrue);
  EXPECT_EQ(truth("!kTwoPass && -kVec < -7"), Truth::kTrue);
  EXPECT_EQ(truth("(kTile / kVec) * 3 != 24"), Truth::kFalse);
  EXPECT_EQ(truth("7 / 2 == 3 && -7 / 2 == -3 && 7.0 / 2 == 3.5"), Truth::kTrue);
}

TEST(Condition, KnowsMembersIndicesLiteralsAndEnumerators) {
  EXPECT_EQ(truth("dims.cols >= 100 && kVec[1] == 4"), Truth::kTrue);
  EXPECT_EQ(truth("kMask == 31u && kTile < 1'000 && kScale * 2 == 1e0"), Truth::kTrue);
  EXPECT_EQ(truth("kMode == Mode::kFast"), Truth::kTrue);
  EXPECT_EQ(truth("kMode == Mode::kSafe"), Truth::kFalse);
  EXPECT_EQ(truth("kMode == kFast"), Truth::kUnknown);
}

TEST(Condition, SaysUnknownWhereItCannotTellAndNoMore) {
  EXPECT_EQ(truth("kNobody > 3"), Truth::kUnknown);
  EXPECT_EQ(truth("kVec / (kTile - 64) > 1"), Truth::kUnknown);
  EXPECT_EQ(truth("9223372036854775807 + 1 > 0"), Truth::kTrue);  // beyond 2^53: floating point
  EXPECT_EQ(truth("kTwoPass && kNobody > 3"), Truth::kFalse);
  EXPECT_EQ(truth("kNobody > 3 || !kTwoPass"), Truth::kTrue);
}

TEST(Condition, LeavesWhatIsBeyondItToTheCompiler) {
  for (const char* text : {"sizeof(Args) > 0", "f(kVec) == 1", "kVec & 1", "kVec ? 1 : 0", "kVec <",
                           "", "(kVec", "kVec kTile", "\"a\" == 0", "~kVec == 0", "3x == 1"}) {
    EXPECT_FALSE(Condition::parse(text)) << text;
  }
  EXPECT_FALSE(Condition::parse(std::string(100'000, '(')));
  EXPECT_FALSE(Condition::parse(std::string(100'000, '!') + "kVec"));
}

TEST(Condition, ListsItsNamesOnce) {
  EXPECT_THAT(Condition::parse("kA * kB <= 64 && kA > dims.rows")->names(),
              ElementsAre("kA", "kB", "dims.rows"));
}

}  // namespace
}  // namespace forge
