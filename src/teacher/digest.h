// What a teacher reads of a run: computed from the state alone, never a model's summary, whose
// blind spots would become the diagnosis. Pure. May know: run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/plan.h"

namespace forge {

struct CurvePoint {
  int round = 0;
  std::string row;
  std::string tried;
  Verdict verdict = Verdict::kNoVerdict;
  std::optional<double> ratio;  // reference over candidate, of that round's own job
  bool is_best = false;
};

struct RowDigest {
  std::string milestone;
  std::string row;
  int rounds = 0;
  std::optional<double> before;  // reference over best, when the row began
  std::optional<double> after;   // when its last round was judged
  std::string closed;            // why; empty: it is open
};

// A sweep that ended.
struct SweepDigest {
  int jobs = 0;
  SweepEnded ended;
};

struct RunDigest {
  double target_ratio = 0;
  std::optional<double> achieved_ratio;
  std::optional<double> gap;  // achieved over target
  std::vector<CurvePoint> curve;
  std::vector<RowDigest> rows;
  std::vector<int> regressions;  // rounds that were correct and slower than the best
  std::vector<int> unusable;     // rounds that were wrong, crashed, …
  std::vector<int> jobs;         // where the raw logs lie
  std::vector<SweepDigest> sweeps;
};

RunDigest digest_run(const State& state, const ProblemFacts& facts);
std::string render(const RunDigest& digest);

}  // namespace forge
