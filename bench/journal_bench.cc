// How long a long run's journal takes to be read and folded, beside copying the same bytes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "run/journal.h"
#include "run/state.h"

namespace forge {
namespace {

constexpr int kEvents = 100'000;  // at least

class Writer {
 public:
  void add(Event event) {
    const JournalEntry entry{++number_, "2026-01-01T00:00:00Z", 0.5 * number_, std::move(event)};
    text_ += journal_line(entry) + "\n";
  }
  int number() const { return number_; }
  const std::string& text() const { return text_; }

 private:
  int number_ = 0;
  std::string text_;
};

RoundStarted started(int round) {
  RoundStarted event;
  event.round = round;
  event.milestone = "M1";
  event.row = "D1.1";
  event.job = round + 2;
  event.parent = std::string(40, 'a');
  event.commit = std::string(40, 'b');
  event.source = std::string(64, 'c');
  event.tried = "kVec: 4 -> 8";
  event.settings = {{"kRows", "2"}, {"kUnroll", "4"}, {"kVec", "8"}};
  event.turn = {round, "the next value of kVec", {1200, 300, 0, 1.5}};
  return event;
}

// Every third candidate is wrong and rolled back.
RoundJudged judged(int round) {
  RoundJudged event;
  event.round = round;
  event.verdict = round % 3 == 0 ? Verdict::kWrong : Verdict::kPassed;
  event.artefact = std::string(64, 'd');
  if (event.verdict == Verdict::kPassed) {
    event.vs_reference = {{1.25, 1.1875, 1.3125}, Comparison::kFaster, 6};
    event.is_best = round % 100 == 1;
  } else {
    event.reason = "shape large, group typical: y[3, 17] is 0.5, expected 0.25";
  }
  return event;
}

// An endless inner loop, as no run has: rounds and rollbacks only, after one of each other kind.
std::string long_journal() {
  Writer writer;
  writer.add(RunCreated{"rmsnorm_cpu", "cpu", std::string(64, 'e'), 7, "forge 0.1.0", "builtin", "",
                        "none: no model"});
  writer.add(Prepared{std::string(40, 'a'), std::string(64, 'f')});
  writer.add(JudgeFrozen{1, std::string(64, '0'), "user", "PyTorch", Json::object()});
  writer.add(BaselineMeasured{2, "reference", "PyTorch", {{"large", 1e6}}, 0.015, 0.01});
  writer.add(Scouted{"it streams"});
  const MilestoneOutline outline{"M1", std::string(64, '1'), {"D1.1"}, {"correct"}};
  writer.add(MilestonesWritten{1, {outline}, {}});
  for (int round = 1; writer.number() < kEvents; ++round) {
    writer.add(started(round));
    const RoundJudged verdict = judged(round);
    writer.add(verdict);
    if (verdict.verdict == Verdict::kWrong) writer.add(RolledBack{round, std::string(40, 'a')});
  }
  return writer.text();
}

// Milliseconds of the fastest of several runs.
template <typename Work>
double fastest_ms(Work work) {
  constexpr int kRuns = 5;
  double best = 1e9;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

int real_main() {
  const std::string text = long_journal();
  std::string copy;
  const double copying = fastest_ms([&] { copy.assign(text.rbegin(), text.rend()); });
  std::size_t events = 0;
  const double folding = fastest_ms([&] {
    const auto journal = parse_journal(text, "journal.jsonl");
    FORGE_CHECK(journal);
    const auto state = fold(*journal);
    FORGE_CHECK(state);
    events = static_cast<std::size_t>(state->events);
  });
  fmt::print(
      "{} events, {:.1f} MB: read and folded in {:.0f} ms, {:.0f} times reversing the bytes\n",
      events, static_cast<double>(text.size()) / 1e6, folding, folding / copying);
  return 0;
}

}  // namespace
}  // namespace forge

int main() { return forge::real_main(); }
