// What a run does next, decided purely: the driver performs it and appends what came of it. Asked
// again after an interruption, it answers with the same action. May know: state.h.
#pragma once

#include <string>
#include <variant>

#include "run/state.h"

namespace forge {

// What the decision needs to know of the problem.
struct ProblemFacts {
  double goal_ratio = 1.0;
  double hours = 4.0;
  int max_meta = 6;
  int patience = 5;
  std::int64_t tokens = 0;  // 0: no limit
  double cost = 0;          // 0: no limit
};

struct PrepareTree {};
struct AlignJudge {
  int job = 0;
};
struct MeasureBaseline {
  int job = 0;
};
struct ScoutReference {};
// Writes milestones v<version>.
struct TakeTeacherTurn {
  int version = 0;
  int turn = 0;
};
// Opens the round that measures the start kernel as it came.
struct OpenStartRound {
  int round = 0;
  int job = 0;
};
enum class SweepBudget { kOpen, kSpent };
// Measures more values of the best's tunables, or ends the sweep of them.
struct SweepTunables {
  int job = 0;
  SweepBudget budget = SweepBudget::kOpen;
};
// Opens the round that takes what the sweep of the best's space advises.
struct OpenSweepRound {
  int round = 0;
  int job = 0;
};
struct TakeStudentTurn {
  std::string milestone;
  std::string row;
  int round = 0;
  int job = 0;
  int turn = 0;
};
struct RunRoundJob {
  int round = 0;
};
struct RollBack {
  int round = 0;
};
struct EvaluateGate {
  std::string milestone;
  std::string gate;
};
struct ConfirmBest {
  int round = 0;
  int job = 0;
};
// Nothing to do but to write down what follows from the state.
struct Record {
  Event event;
};
// The run is over; what lies on disk for people is brought up to date.
struct Stop {
  Finished finished;
};

using Action =
    std::variant<PrepareTree, AlignJudge, MeasureBaseline, ScoutReference, TakeTeacherTurn,
                 OpenStartRound, SweepTunables, OpenSweepRound, TakeStudentTurn, RunRoundJob,
                 RollBack, EvaluateGate, ConfirmBest, Record, Stop>;

// Turns that may fail one after the other before their row is closed or the teacher is given up.
inline constexpr int kMaxFailedTurns = 3;
// Of the hours, that sweeps may have together.
inline constexpr double kSweepShare = 0.5;
// Each needs seeds that were never used before, and secrets.json holds so many sets.
inline constexpr int kMaxConfirmations = 4;

// `elapsed_s`: time that drivers spent on the run so far, as in JournalEntry.
Action next(const State& state, const ProblemFacts& facts, double elapsed_s);

}  // namespace forge
