#include "run/milestone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/toml_json.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kGood = R"toml(
id = "M0"
title = "Structure"
gates = ["correct", "not slower than start", "ratio >= 1.25", "dram_bytes <= 1.1 * work.bytes"]

[[rows]]
id = "D0.2"
decision = "the tile"
range = ["64", "128"]
needs = ["D0.1"]
tunable = "kTile"

[[rows]]
id = "D0.1"
decision = "the split"
value = "by \"rows\""
basis = "measured"
wrong_if = "a core idles"
group = "split"
)toml";

Milestone good() {
  auto milestone = parse_milestone(kGood, "M0.toml");
  if (!milestone) invariant_failed(__FILE__, __LINE__, milestone.error().message());
  return std::move(*milestone);
}

std::string refusal(std::string_view text) {
  const auto milestone = parse_milestone(text, "M0.toml");
  return milestone ? "accepted" : milestone.error().message();
}

TEST(Milestone, IsReadWhole) {
  const auto milestone = good();
  EXPECT_EQ(milestone.title, "Structure");
  ASSERT_EQ(milestone.rows.size(), 2u);
  EXPECT_THAT(milestone.rows[0].range, ElementsAre("64", "128"));
  EXPECT_EQ(milestone.rows[0].tunable, "kTile");
  EXPECT_EQ(milestone.rows[1].value, "by \"rows\"");
  EXPECT_EQ(milestone.rows[1].wrong_if, "a core idles");
  ASSERT_EQ(milestone.gates.size(), 4u);
  EXPECT_EQ(std::get<RatioGate>(milestone.gates[2]).minimum, 1.25);
  EXPECT_EQ(std::get<MechanismGate>(milestone.gates[3]).bound, "1.1 * work.bytes");
  EXPECT_THAT(lint_milestones({milestone}), IsEmpty());
}

TEST(Milestone, IsReadBackAsItWasWritten) {
  const auto text = write_milestone(good());
  const auto again = parse_milestone(text, "M0.toml");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(write_milestone(*again), text);
}

TEST(Milestone, RowsFollowWhatTheyNeed) {
  EXPECT_THAT(row_order(good()), ElementsAre("D0.1", "D0.2"));
  EXPECT_THAT(outline(good(), kGood).rows, ElementsAre("D0.1", "D0.2"));
}

TEST(Milestone, UnknownKeysAndWrongTypesAreRefused) {
  EXPECT_THAT(refusal("id = \"M0\"\ntitle = \"t\"\ncolour = 1"), HasSubstr("colour"));
  EXPECT_THAT(refusal("id = \"M0\"\ntitle = 3"), HasSubstr("title"));
  EXPECT_THAT(refusal("id = \"M0\"\ntitle = \"t\"\n[[rows]]\nid = \"D0.1\"\nvlaue = \"1\""),
              HasSubstr("vlaue"));
  EXPECT_THAT(refusal("id = \"M0\"\ntitle = "), HasSubstr("M0.toml:2"));
}

TEST(Milestone, GatesThatNobodyCouldEvaluateAreRefused) {
  for (const auto* text :
       {"fast", "ratio >= fast", "ratio >= -1", "ratio < 2", "== 0", "spills =="}) {
    EXPECT_FALSE(parse_gate(text, "M0.toml")) << text;
  }
}

TEST(Milestone, GatesAreReadBackFromTheirText) {
  for (const auto* text : {"correct", "not slower than start", "ratio >= 1.2", "spill_bytes == 0",
                           "sass.HGMMA > 0", "dram_bytes <= 1.1 * work.bytes"}) {
    const auto gate = parse_gate(text, "M0.toml");
    ASSERT_TRUE(gate) << text;
    EXPECT_EQ(gate_text(*gate), text);
  }
}

std::string lint_after(void (*change)(Milestone&)) {
  auto milestone = good();
  change(milestone);
  const auto problems = lint_milestones({milestone});
  return problems.empty() ? "clean" : problems.front();
}

TEST(MilestoneLint, NamesWhatIsWrong) {
  EXPECT_THAT(lint_after([](Milestone& m) { m.rows[0].id = "D0.1"; }), HasSubstr("taken"));
  EXPECT_THAT(lint_after([](Milestone& m) { m.rows[0].id = "D1.1"; }), HasSubstr("ids are D0.1"));
  EXPECT_THAT(lint_after([](Milestone& m) { m.rows[1].decision = ""; }), HasSubstr("no decision"));
  EXPECT_THAT(lint_after([](Milestone& m) { m.rows[1].value = ""; }), HasSubstr("neither"));
  EXPECT_THAT(lint_after([](Milestone& m) { m.rows[0].value = "1"; }), HasSubstr("both"));
  EXPECT_THAT(lint_after([](Milestone& m) { m.rows[0].needs = {"D0.9"}; }), HasSubstr("D0.9"));
  EXPECT_THAT(lint_after([](Milestone& m) { m.rows[1].needs = {"D0.2"}; }), HasSubstr("cycle"));
  EXPECT_THAT(lint_after([](Milestone& m) { m.rows[1].needs = {"D0.1"}; }), HasSubstr("itself"));
  EXPECT_THAT(lint_after([](Milestone& m) { m.id = "first"; }), HasSubstr("M0, M1"));
}

TEST(MilestoneLint, RowsMayNeedThoseOfEarlierMilestonesOnly) {
  auto later = good();
  later.id = "M1";
  later.rows = {{"D1.1", "d", "v", {}, "", "", {"D0.1"}, "", ""}};
  EXPECT_THAT(lint_milestones({good(), later}), IsEmpty());
  EXPECT_THAT(lint_milestones({later, good()}).front(), HasSubstr("D0.1"));
}

TEST(TomlJson, KeepsOrderAndKinds) {
  const auto json = toml_to_json("b = 1\na = [true, 2.5]\n[t]\nx = \"y\"", "f.toml");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->dump(), R"({"b":1,"a":[true,2.5],"t":{"x":"y"}})");
  EXPECT_FALSE(toml_to_json("d = 2026-01-01", "f.toml"));
}

}  // namespace
}  // namespace forge
