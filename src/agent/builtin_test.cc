#include "agent/builtin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/builtin_milestones.h"
#include "agent/search.h"
#include "sys/fs_fake.h"

namespace forge {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SearchTunable tunable(std::string name, std::string current, std::string advised) {
  return {SearchKind::kTuning, std::move(name), std::move(current), std::move(advised), 1, 0, 0};
}

TEST(Advice, IsWhatDiffersFromTheKernel) {
  const SearchSpace space{
      {tunable("kA", "1", "2"), tunable("kB", "1", "1"), tunable("kC", "1", "")}, {}};
  EXPECT_EQ(advised_change(space, space.tunables[0]), (Changes{{"kA", "2"}}));
  EXPECT_EQ(advised_change(space, space.tunables[1]), Changes());
  EXPECT_EQ(advised_change(space, space.tunables[2]), Changes()) << "nothing was said";
  EXPECT_EQ(advised_changes(space), (Changes{{"kA", "2"}}));
}

TEST(Advice, IsNotGivenTwiceBesideTheSameOtherValues) {
  SearchSpace space{{tunable("kA", "1", "2"), tunable("kB", "1", "2")},
                    {{{"kA", "2"}, {"kB", "1"}}}};
  EXPECT_EQ(advised_change(space, space.tunables[0]), Changes());
  EXPECT_EQ(advised_change(space, space.tunables[1]), (Changes{{"kB", "2"}}));
  EXPECT_EQ(advised_changes(space), (Changes{{"kA", "2"}, {"kB", "2"}}));
  space.tunables[1].current = "2";
  EXPECT_EQ(advised_change(space, space.tunables[0]), (Changes{{"kA", "2"}}));
}

constexpr std::string_view kBrief = R"json({
  "format": 1, "task": "TASK", "version": 2, "trigger": "patience", "goal_ratio": 1.5,
  "frozen": FROZEN, "file": "kernel.cpp", "row": {"tunable": "kVec", "group": "GROUP"}, "seed": 1,
  "tunables": [
    {"name": "kTwoPass", "kind": "structure", "type": "bool", "values": ["false", "true"],
     "current": "true", "best": "true", "advised": "false", "price": 1.5, "begin": 2, "end": 6},
    {"name": "kWide", "kind": "tuning", "type": "int", "values": ["1", "2"],
     "current": "1", "best": "1", "advised": "2", "price": 1.1, "begin": 11, "end": 12},
    {"name": "kVec", "kind": "tuning", "type": "int", "values": ["1", "16"],
     "current": "1", "best": "1", "advised": "16", "price": 1.25, "begin": 8, "end": 9}],
  "tried": TRIED
})json";
constexpr std::string_view kKernel = "a=true,b1,c1;";

Json brief(std::string task, std::string frozen = "[]", std::string attempts = "[]",
           std::string group = "") {
  std::string text(kBrief);
  const auto put = [&text](std::string_view name, const std::string& value) {
    text.replace(text.find(name), name.size(), value);
  };
  put("TASK", task);
  put("FROZEN", frozen);
  put("TRIED", attempts);
  put("GROUP", group);
  auto json = parse_json(text, "brief");
  if (!json) invariant_failed(__FILE__, __LINE__, json.error().message());
  return std::move(*json);
}

std::string attempt(std::string two_pass, std::string wide, std::string vec) {
  return R"({"settings": {"kTwoPass": ")" + two_pass + R"(", "kWide": ")" + wide +
         R"(", "kVec": ")" + vec + R"("}})";
}

// All that can be advised one by one was tried in vain.
std::string all_tried_alone() {
  return "[" + attempt("false", "1", "1") + "," + attempt("true", "2", "1") + "," +
         attempt("true", "1", "16");
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

TEST(BuiltinStudent, SetsTheRowsTunableToWhatIsAdvisedAndNothingElse) {
  FakeFs fs;
  const auto outcome = take(fs, Role::kStudent, brief("row"));
  ASSERT_TRUE(std::holds_alternative<TurnDone>(outcome));
  EXPECT_EQ(std::get<TurnDone>(outcome).note, "kVec: 1 -> 16");
  EXPECT_EQ(*fs.read("work/kernel.cpp"), "a=true,b16,c1;");
}

TEST(BuiltinStudent, TakesAGroupInOneTurn) {
  FakeFs fs;
  const auto outcome = take(fs, Role::kStudent, brief("row", "[]", "[]", "together"));
  ASSERT_TRUE(std::holds_alternative<TurnDone>(outcome));
  EXPECT_EQ(*fs.read("work/kernel.cpp"), "a=false,b16,c2;");
}

TEST(BuiltinStudent, PassesWhenTheAdviceWasTried) {
  FakeFs fs;
  const auto outcome =
      take(fs, Role::kStudent, brief("row", "[]", "[" + attempt("true", "1", "16") + "]"));
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

TEST(BuiltinTeacher, PutsStructureBeforeTuningAndTheDearestFirst) {
  FakeFs fs;
  ASSERT_TRUE(std::holds_alternative<TurnDone>(take(fs, Role::kTeacher, brief("milestones"))));
  EXPECT_THAT(*fs.read("work/M0.toml"), HasSubstr("tunable = \"kTwoPass\""));
  EXPECT_THAT(*fs.read("work/M0.toml"), Not(HasSubstr("kVec")));
  const auto tuning = *fs.read("work/M1.toml");
  EXPECT_THAT(tuning, HasSubstr("id = \"D1.1\"\ndecision = \"the value of kVec\"\nvalue = \"16\""));
  EXPECT_THAT(tuning, HasSubstr("id = \"D1.2\"\ndecision = \"the value of kWide\""));
  EXPECT_THAT(tuning, HasSubstr("ratio >= 1.5"));
}

TEST(BuiltinTeacher, KeepsAFrozenStructureWhileTuningHasSomethingLeft) {
  const std::string frozen = R"([{"id": "M0", "toml": "as it was"}])";
  const auto files = builtin_milestones(brief("milestones", frozen));
  ASSERT_TRUE(files && *files);
  EXPECT_EQ((*files)->at("M0.toml"), "as it was");
  const auto tuned = "[" + attempt("true", "2", "1") + "," + attempt("true", "1", "16") + "]";
  const auto reopened = builtin_milestones(brief("milestones", frozen, tuned));
  ASSERT_TRUE(reopened && *reopened);
  EXPECT_THAT((*reopened)->at("M0.toml"), HasSubstr("kTwoPass"));
}

TEST(BuiltinTeacher, GroupsWhatCameToNothingOneByOne) {
  const auto files = builtin_milestones(brief("milestones", "[]", all_tried_alone() + "]"));
  ASSERT_TRUE(files && *files);
  EXPECT_THAT((*files)->at("M0.toml"), HasSubstr("group = \"together\""));
  EXPECT_FALSE((*files)->contains("M1.toml"));
}

TEST(BuiltinTeacher, PassesWhenAllAdviceWasTried) {
  FakeFs fs;
  const auto attempts = all_tried_alone() + "," + attempt("false", "2", "16") + "]";
  const auto outcome = take(fs, Role::kTeacher, brief("milestones", "[]", attempts));
  EXPECT_TRUE(std::holds_alternative<TurnPassed>(outcome));
}

TEST(BuiltinBackend, RefusesRolesThatNeedAModel) {
  FakeFs fs;
  EXPECT_TRUE(std::holds_alternative<TurnFailed>(take(fs, Role::kReviewer, brief("review"))));
}

}  // namespace
}  // namespace forge
