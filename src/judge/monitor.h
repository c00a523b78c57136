// The monitor: what a confirmed kernel and its opponents made of inputs that nobody drew, and of
// the same input twice. It records and decides nothing. Pure. May know: base, stress.h. Method and
// reasons: docs/formats/judge.md.
#pragma once

#include <string>
#include <vector>

#include "judge/stress.h"

namespace forge {

// One arm under one kind of inputs, all shapes together.
struct StressFinding {
  std::string arm;  // label
  Stress stress = Stress::kNone;
  int cases = 0;       // run
  int agreeing = 0;    // with the oracle, within the tolerance of the kind of case
  std::string detail;  // the worst of the others, or why a case was not run; empty: neither
};

// Cases of which the outputs of two processes were compared bit by bit.
struct RepeatFinding {
  std::string arm;
  int cases = 0;
  int identical = 0;
};

struct MonitorFindings {
  std::vector<StressFinding> stresses;
  std::vector<RepeatFinding> repeats;
  std::vector<std::string> notes;  // what was not tried, and why
  bool empty() const { return stresses.empty() && repeats.empty() && notes.empty(); }
};

// "6 of 6 right", "4 of 6 right (y[3] of large is …)", "not run: …".
std::string words_of(const StressFinding& finding);
std::string words_of(const RepeatFinding& finding);

}  // namespace forge
