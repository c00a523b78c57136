#include "agent/builtin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "agent/builtin_milestones.h"
#include "agent/search.h"
#include "sys/fs_fake.h"

namespace forge {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SearchTunable tunable(SearchKind kind, std::string name, std::vector<std::string> values,
                      std::string best) {
  return {kind, std::move(name), std::move(values), best, best, 0, 0};
}

// One size with values 1 … 16 whose best is 4.
SearchSpace sizes() {
  SearchSpace space;
  space.tunables = {tunable(SearchKind::kTuning, "kVec", {"8", "1", "2", "4", "16"}, "4")};
  return space;
}

void tried(SearchSpace& space, std::string value, bool was_slower) {
  space.tried.push_back({{{"kVec", std::move(value)}}, was_slower});
}

std::string next_size(const SearchSpace& space) {
  return next_value(space, space.tunables[0]).value_or("none");
}

TEST(Search, TriesTheNearestValuesFirst) {
  auto space = sizes();
  tried(space, "4", false);
  const auto first = next_size(space);
  EXPECT_TRUE(first == "2" || first == "8");
  tried(space, first, false);
  EXPECT_EQ(next_size(space), first == "2" ? "8" : "2");
}

TEST(Search, GivesUpADirectionOnceANearerValueWasSlower) {
  auto space = sizes();
  tried(space, "8", true);
  tried(space, "2", false);
  EXPECT_EQ(next_size(space), "1");
  tried(space, "1", true);
  EXPECT_EQ(next_size(space), "none");
}

TEST(Search, AWrongValueSaysNothingAboutTheOnesBehindIt) {
  auto space = sizes();
  tried(space, "8", false);
  tried(space, "2", true);
  EXPECT_EQ(next_size(space), "16");
}

TEST(Search, AttemptsCountOnlyBesideTheSameOtherValues) {
  auto space = sizes();
  space.tunables.push_back(tunable(SearchKind::kStructure, "kTwoPass", {"false", "true"}, "true"));
  space.tried = {{{{"kVec", "8"}, {"kTwoPass", "false"}}, true}};
  EXPECT_NE(next_size(space), "none");
  EXPECT_EQ(next_value(space, space.tunables[1]), "false");
}

TEST(Search, TheSeedDecidesBetweenEquallyNearValuesAlwaysTheSameWay) {
  auto space = sizes();
  std::set<std::string> seen;
  for (space.seed = 0; space.seed < 20; ++space.seed) {
    seen.insert(next_size(space));
    EXPECT_EQ(next_size(space), next_size(space));
  }
  EXPECT_EQ(seen, (std::set<std::string>{"2", "8"}));
}

constexpr std::string_view kBrief = R"json({
  "format": 1, "task": "TASK", "version": 2, "trigger": "patience", "goal_ratio": 1.5,
  "frozen": FROZEN, "file": "kernel.cpp", "row": {"tunable": "kVec"}, "seed": 1,
  "tunables": [
    {"name": "kTwoPass", "kind": "structure", "type": "bool", "values": ["false", "true"],
     "current": "true", "best": "false", "begin": 2, "end": 6},
    {"name": "kVec", "kind": "tuning", "type": "int", "values": ["1", "16"],
     "current": "1", "best": "1", "begin": 8, "end": 9}],
  "tried": TRIED
})json";
constexpr std::string_view kKernel = "a=true,b1;";

Json brief(std::string task, std::string frozen = "[]", std::string attempts = "[]") {
  std::string text(kBrief);
  const auto put = [&text](std::string_view name, const std::string& value) {
    text.replace(text.find(name), name.size(), value);
  };
  put("TASK", task);
  put("FROZEN", frozen);
  put("TRIED", attempts);
  auto json = parse_json(text, "brief");
  if (!json) invariant_failed(__FILE__, __LINE__, json.error().message());
  return std::move(*json);
}

std::string attempt(std::string two_pass, std::string vec) {
  return R"({"round": 1, "settings": {"kTwoPass": ")" + two_pass + R"(", "kVec": ")" + vec +
         R"("}, "verdict": "passed", "comparison": "slower", "is_best": false})";
}

TurnOutcome take(FakeFs& fs, Role role, Json json) {
  fs.add_file("work/kernel.cpp", kKernel);
  Turn turn;
  turn.role = role;
  turn.brief = std::move(json);
  turn.workspace = "work";
  auto outcome = make_builtin_backend(fs)->take_turn(turn);
  if (!outcome) invariant_failed(__FILE__, __LINE__, outcome.error().message());
  return std::move(*outcome);
}

TEST(BuiltinStudent, SetsTheRowsTunableAndEverythingElseAsInTheBest) {
  FakeFs fs;
  const auto outcome = take(fs, Role::kStudent, brief("row"));
  ASSERT_TRUE(std::holds_alternative<TurnDone>(outcome));
  EXPECT_EQ(std::get<TurnDone>(outcome).note, "kVec: 1 -> 16");
  EXPECT_EQ(*fs.read("work/kernel.cpp"), "a=false,b16;");
}

TEST(BuiltinStudent, PassesWhenNoValueIsUntried) {
  FakeFs fs;
  const auto outcome =
      take(fs, Role::kStudent, brief("row", "[]", "[" + attempt("false", "16") + "]"));
  EXPECT_TRUE(std::holds_alternative<TurnPassed>(outcome));
  EXPECT_EQ(*fs.read("work/kernel.cpp"), kKernel);
}

TEST(BuiltinStudent, RefusesToEditAKernelThatTheBriefDoesNotDescribe) {
  FakeFs fs;
  fs.add_file("work/kernel.cpp", "another kernel");
  Turn turn;
  turn.role = Role::kStudent;
  turn.brief = brief("row");
  turn.workspace = "work";
  EXPECT_FALSE(make_builtin_backend(fs)->take_turn(turn));
  EXPECT_EQ(*fs.read("work/kernel.cpp"), "another kernel");
}

TEST(BuiltinTeacher, PutsStructureBeforeTuning) {
  FakeFs fs;
  ASSERT_TRUE(std::holds_alternative<TurnDone>(take(fs, Role::kTeacher, brief("milestones"))));
  EXPECT_THAT(*fs.read("work/M0.toml"), HasSubstr("tunable = \"kTwoPass\""));
  EXPECT_THAT(*fs.read("work/M0.toml"), Not(HasSubstr("kVec")));
  EXPECT_THAT(*fs.read("work/M1.toml"), HasSubstr("id = \"D1.1\""));
  EXPECT_THAT(*fs.read("work/M1.toml"), HasSubstr("ratio >= 1.5"));
}

TEST(BuiltinTeacher, KeepsAFrozenStructureWhileTuningHasSomethingLeft) {
  const std::string frozen = R"([{"id": "M0", "toml": "as it was"}])";
  const auto files = builtin_milestones(brief("milestones", frozen));
  ASSERT_TRUE(files && *files);
  EXPECT_EQ((*files)->at("M0.toml"), "as it was");
  const auto reopened =
      builtin_milestones(brief("milestones", frozen, "[" + attempt("false", "16") + "]"));
  ASSERT_TRUE(reopened && *reopened);
  EXPECT_THAT((*reopened)->at("M0.toml"), HasSubstr("kTwoPass"));
}

TEST(BuiltinTeacher, PassesAtAnOptimumOfItsSearch) {
  FakeFs fs;
  const auto attempts = "[" + attempt("false", "16") + "," + attempt("true", "1") + "]";
  const auto outcome = take(fs, Role::kTeacher, brief("milestones", "[]", attempts));
  EXPECT_TRUE(std::holds_alternative<TurnPassed>(outcome));
}

TEST(BuiltinBackend, RefusesRolesThatNeedAModel) {
  FakeFs fs;
  EXPECT_TRUE(std::holds_alternative<TurnFailed>(take(fs, Role::kReviewer, brief("review"))));
}

}  // namespace
}  // namespace forge
