#include "run/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sys/fs_fake.h"

namespace forge {
namespace {

using ::testing::HasSubstr;

RoundStarted round_started() {
  return {7,
          "M0",
          "D0.1",
          9,
          "aaaa",
          "bbbb",
          "digest",
          "space",
          "kVec: 4 -> 8",
          {{"kVec", "8"}},
          {3, "a \"quoted\" note\n", {10, 20, 0.5, 1.25}}};
}

RoundJudged round_judged() {
  RoundJudged judged;
  judged.round = 7;
  judged.verdict = Verdict::kPassed;
  judged.artefact = "cccc";
  judged.vs_reference = MeasuredRatio{{1.5, 1.4, 1.6}, Comparison::kFaster, 6};
  judged.is_best = true;
  return judged;
}

std::vector<Event> one_of_each() {
  Json tolerance = Json::object();
  tolerance.set("y", 0.01);
  return {
      RunCreated{"norm", "cpu", "abcd", 0xffffffffffffffffull, "forge", "builtin", "m", "none"},
      Prepared{"commit", "source"},
      JudgeFrozen{1, "digest", "author", "oracle", tolerance, Json::object()},
      BaselineMeasured{2, "reference", "PyTorch", {{"large", 12.5}}, 0.015, 0.002, true},
      Scouted{"findings"},
      MilestonesWritten{1, {{"M0", "d", {"D0.1", "D0.2"}, {"correct"}}}, {1, "", {}}},
      round_started(),
      round_judged(),
      Swept{8, "space", {{"kVec", "4"}}, {{{{"kVec", "8"}}, 8, "", "dddd", {{0.25, -0.5}}}}},
      SweepEnded{"space", "why", {{"kVec", "8"}}, 1.25, {{"kVec", 1.5}}},
      RolledBack{7, "aaaa"},
      RowClosed{"M0", "D0.1", "nothing left", {4, "", {}}},
      GateEvaluated{"M0", "correct", GateOutcome::kPassed, "detail"},
      MilestoneClosed{"M0"},
      TeacherEntered{Trigger::kPatience, "5 rounds"},
      TurnFailedEvent{"student", "D0.1", {5, "why", {}}},
      ForgeEnded{ForgeEnd::kNothingLeft, "detail", {6, "", {}}},
      Confirmed{10, 7, Verdict::kPassed, "", {{"reference", {{2, 1.9, 2.1}, {}, 12}}}, true},
      Finished{Ending::kGoalConfirmed, "why"},
  };
}

std::string journal_of(const std::vector<Event>& events) {
  std::string text;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    text += journal_line({number, "2026-01-01T00:00:00Z", 0.5 * number, events[i]}) + "\n";
  }
  return text;
}

TEST(Journal, EveryKindOfEventIsReadBackAsItWasWritten) {
  const auto events = one_of_each();
  ASSERT_EQ(events.size(), std::variant_size_v<Event>);
  const auto journal = parse_journal(journal_of(events), "journal.jsonl");
  ASSERT_TRUE(journal) << journal.error().message();
  ASSERT_EQ(journal->entries.size(), events.size());
  EXPECT_EQ(journal->notice, "");
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(journal->entries[i].event.index(), i);
    EXPECT_EQ(event_data(journal->entries[i].event), event_data(events[i]));
  }
}

TEST(Journal, LinesAreJsonThatOtherProgramsCanRead) {
  const auto line = journal_line({1, "2026-01-01T00:00:00Z", 0, round_judged()});
  const auto json = parse_json(line, "line");
  ASSERT_TRUE(json) << json.error().message();
  EXPECT_EQ(*json->find("type")->as_string(), "round_judged");
  EXPECT_EQ(json->find("crc")->as_string()->size(), 8u);
  EXPECT_TRUE(json->find("data")->find("vs_incumbent")->is_null());
}

TEST(Journal, CutAtAnyByteOnlyTheTornLineIsDropped) {
  const auto text = journal_of(one_of_each());
  for (std::size_t bytes = 0; bytes <= text.size(); ++bytes) {
    const auto cut = text.substr(0, bytes);
    const auto whole = static_cast<std::size_t>(std::count(cut.begin(), cut.end(), '\n'));
    const auto journal = parse_journal(cut, "journal.jsonl");
    ASSERT_TRUE(journal) << bytes << ": " << journal.error().message();
    ASSERT_EQ(journal->entries.size(), whole);
    ASSERT_EQ(journal->notice.empty(), bytes == 0 || cut.back() == '\n');
  }
}

TEST(Journal, AFlippedByteBeforeTheLastLineIsAnErrorThatNamesTheLine) {
  auto text = journal_of(one_of_each());
  text[text.find('\n') + 30] ^= 1;
  const auto journal = parse_journal(text, "journal.jsonl");
  ASSERT_FALSE(journal);
  EXPECT_EQ(journal.error().kind, ErrorKind::kCorrupt);
  EXPECT_THAT(journal.error().message(), HasSubstr("journal.jsonl:2"));
}

TEST(Journal, AMissingLineIsAnErrorThatNamesTheGap) {
  auto text = journal_of(one_of_each());
  const auto second = text.find('\n') + 1;
  text.erase(second, text.find('\n', second) + 1 - second);
  const auto journal = parse_journal(text, "journal.jsonl");
  ASSERT_FALSE(journal);
  EXPECT_THAT(journal.error().message(), HasSubstr("event 3 where 2 should be"));
}

TEST(Journal, AnEventOfAnotherVersionIsRefusedByName) {
  const auto event = event_from_json("telepathy", Json::object(), "journal.jsonl:1");
  ASSERT_FALSE(event);
  EXPECT_THAT(event.error().message(), HasSubstr("unknown event 'telepathy'"));
}

TEST(Journal, UnknownAndMissingMembersAreRefused) {
  auto data = event_data(Event(MilestoneClosed{"M0"}));
  data.set("extra", 1);
  EXPECT_FALSE(event_from_json("milestone_closed", data, "j"));
  EXPECT_FALSE(event_from_json("milestone_closed", Json::object(), "j"));
}

TEST(Journal, NumbersThatAreNotFiniteSurviveAsNotANumber) {
  auto judged = round_judged();
  judged.vs_reference->ratio.high = std::numeric_limits<double>::infinity();
  const auto journal = parse_journal(journal_of({judged}), "j");
  ASSERT_TRUE(journal) << journal.error().message();
  const auto& read = std::get<RoundJudged>(journal->entries[0].event);
  EXPECT_TRUE(std::isnan(read.vs_reference->ratio.high));
}

TEST(JournalWriter, CutsOffATornLineAndGoesOnBehindTheLastWholeOne) {
  FakeFs fs;
  const auto whole = journal_of({Scouted{"a"}, Scouted{"b"}});
  fs.add_file("journal.jsonl", whole + "{\"n\":3");
  auto journal = read_journal(fs, "journal.jsonl");
  ASSERT_TRUE(journal);
  auto writer = JournalWriter::open(fs, "journal.jsonl", *journal);
  ASSERT_TRUE(writer);
  const auto entry = writer->append(Scouted{"c"}, "now", 1);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->number, 3);
  fs.forget_unsynced();
  EXPECT_EQ(*fs.read("journal.jsonl"), whole + journal_line(*entry) + "\n");
}

}  // namespace
}  // namespace forge
