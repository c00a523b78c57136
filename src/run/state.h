// What a run is at a moment: folded from its events and from nothing else. Pure. May know: event.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "run/journal.h"

namespace forge {

struct Round {
  RoundStarted started;
  std::optional<RoundJudged> judged;
};

// All that was measured of one space, and what came of it.
struct Sweep {
  std::string space;
  Settings origin;
  std::vector<Observation> observations;
  int jobs = 0;
  std::optional<SweepEnded> ended;
  int began_in_version = 0;  // of the milestones
  bool tried = false;        // a round took what it advises

  int combinations() const;  // that were measured or refused, each counted once
};

struct MilestoneState {
  MilestoneOutline outline;
  std::map<std::string, std::string> closed_rows;  // id -> why
  std::vector<GateEvaluated> gates;
  bool closed = false;

  const GateEvaluated* gate(std::string_view text) const;
};

struct State {
  int events = 0;
  double elapsed_s = 0;
  std::string last_event_at;  // UTC

  std::optional<RunCreated> created;
  std::optional<Prepared> prepared;
  std::optional<JudgeFrozen> judge;
  std::optional<BaselineMeasured> baseline;
  std::optional<Scouted> scouted;

  int version = 0;  // of the milestones; 0: none yet
  std::vector<MilestoneState> milestones;
  std::vector<Round> rounds;  // round n is rounds[n - 1]
  std::vector<int> bests;     // rounds that became best; the last one is
  std::vector<Sweep> sweeps;  // in the order in which they began
  std::string head;           // where the operator tree has to stand
  int rounds_without_best = 0;
  int failed_turns = 0;  // in a row
  std::string failure;   // why the last turn failed; empty: it did not
  int meta_entries = 0;
  std::optional<TeacherEntered> teacher_pending;
  std::optional<int> rollback_pending;  // round
  std::optional<double> forge_began_s;
  std::optional<ForgeEnded> forge_ended;
  bool goal_refuted = false;  // a confirmation fell short of what a round promised
  std::vector<Confirmed> confirmations;
  std::optional<Finished> finished;

  int turns = 0;  // numbers given so far
  int jobs = 0;
  Usage usage;

  const Round* open_round() const;  // started and not judged
  const RoundJudged* last_judged() const;
  const Round* best() const;
  const Round* round(int number) const;  // nullptr: there is none
  const Sweep* sweep(std::string_view space) const;
  const MilestoneState* milestone(std::string_view id) const;
  const MilestoneState* current_milestone() const;
  // The confirmation of the best as it is now, if it was confirmed.
  const Confirmed* confirmation() const;
  // What that measured against the reference to beat, if the best passed it.
  const MeasuredRatio* confirmed_ratio() const;
  Stage stage() const;
};

// Empty if there is none of that name.
std::string value_of(const Settings& settings, const std::string& name);

// True for verdicts after which the tree goes back to the commit before: the candidate is known not
// to be usable. Slower is not among them, and neither is missing evidence.
bool is_unusable(Verdict verdict);

// Of a confirmation's opponents the one that the best is the least ahead of; nullptr: it has none.
const OpponentRatio* hardest(const Confirmed& confirmed);

// Label of the reference to beat: the fastest as last measured, by a confirmation that passed, else
// by the baseline. Requires a baseline.
const std::string& opponent_to_beat(const State& state);

// The target is a time, so the point estimate has to reach it and the interval has to exclude that
// the candidate is slower than its opponent.
bool goal_is_met(const MeasuredRatio& vs_reference, double goal_ratio);

// Refuses an event that contradicts the state, e.g. a verdict on a round that was never started.
Result<State> apply(State state, const JournalEntry& entry);
Result<State> fold(const Journal& journal);

}  // namespace forge
