// How much a right kernel may differ from the oracle. Pure. May know: base, problem.
// Method and reasons: docs/formats/judge.md.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "base/dtype.h"
#include "base/json.h"
#include "problem/problem.h"

namespace forge {

// Error of one element, for y the candidate's value and r the oracle's: |y - r| / (|r| + s), where
// s is the scale of its row (row_scales() in compare.h). Integers and booleans: 0 or infinity.
//
// The least tolerance of a dtype is its machine epsilon, one unit in the last place at 1: bf16
// 7.8e-3, f16 9.8e-4, f32 1.2e-7, f64 2.2e-16, f8_e4m3 0.125, f8_e5m2 0.25; integers 0.
double tolerance_floor(Dtype dtype);

// Changes whenever the same problem would be calibrated or admitted otherwise: kept alignments of
// another are done again.
inline constexpr std::string_view kCalibration = "2";

// A reference that is farther from the oracle than this disagrees with it: twice as much would let
// outputs pass that hold little of the answer (zeros err by 0.5 on a row's median element).
double alignment_limit(Dtype dtype);

struct CaseKind {
  std::string output;
  std::string shape;
  std::string group;
  auto operator<=>(const CaseKind&) const = default;
};

// Calibrated tolerances; one per output, shape and group, so that a wild group loosens no tame one.
struct ToleranceTable {
  std::map<CaseKind, double> allowed;

  // Requires that the kind was calibrated.
  double of(const CaseKind& kind) const;
};

// factor × the reference's worst error, at least the floor.
double calibrate(double reference_worst_error, Dtype dtype, const ToleranceOverride* override_);

Json to_json(const ToleranceTable& table);
Result<ToleranceTable> tolerance_from_json(const JsonReader& reader);

}  // namespace forge
