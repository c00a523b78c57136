// Whether a judge can tell right from wrong, decided from what became of wrong answers, exchanged
// inputs and its input groups. Pure. May know: base, mutants.h, tolerance.h.
// Method and reasons: docs/formats/judge.md.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "judge/mutants.h"
#include "judge/tolerance.h"

namespace forge {

enum class Fate {
  kCaught,
  kSurvived,
  kSame,  // the mutant was the right answer itself
};

struct MutantFinding {
  CaseKind kind;
  Mutant mutant;
  Fate fate = Fate::kCaught;
};

// The oracle's compare() gave no answer to a wrong one: a kernel like it would get no verdict.
struct NoAnswer {
  CaseKind kind;
  Mutant mutant;
  std::string why;
};

// A right answer in floating point that takes a handful of values only.
inline constexpr int kHandful = 4;
inline constexpr std::int64_t kEnoughForAHandful = 64;  // elements
struct ValuesFinding {
  CaseKind kind;
  int distinct = 0;  // more than kHandful: many
};

// The oracle's own answer, rounded to the output's dtype, is refused.
struct RightRefused {
  CaseKind kind;
  std::string why;
};

// What happened to the outputs when one input was exchanged for another case's.
enum class Influence {
  kSeen,
  kUnseen,
  kConstant,  // no case has another
  kUnknown,
};
struct InfluenceFinding {
  std::string name;
  Influence influence = Influence::kConstant;
  std::string why;  // kUnknown: what the oracle said to the exchange
};

// Two input groups of one shape whose inputs no statistic tells apart, or which are too small.
enum class Likeness { kDifferent, kAlike, kUnknown };
struct LikenessFinding {
  std::string shape;
  std::string group;
  std::string other;
  Likeness likeness = Likeness::kDifferent;
};

struct AdmissionEvidence {
  std::vector<RightRefused> right;
  std::vector<MutantFinding> mutants;
  std::vector<NoAnswer> no_answers;
  std::vector<ValuesFinding> values;
  std::vector<InfluenceFinding> inputs;
  std::vector<InfluenceFinding> scalars;
  std::vector<LikenessFinding> groups;
  // Outputs to which [tolerance.<output>] grants an accuracy of its own.
  std::set<std::string> overridden;
};

struct Admission {
  int tried = 0;  // wrong answers
  int caught = 0;
  std::vector<std::string> refusals;  // not empty: the problem can't be judged
  std::vector<std::string> notes;     // what the judge does not see, for the report
};

Admission decide_admission(const AdmissionEvidence& evidence);

// Why a problem can't be judged. Requires refusals.
Error not_admitted(const std::string& problem, const Admission& admission);

Json to_json(const Admission& admission);
Result<Admission> admission_from_json(const JsonReader& reader);

}  // namespace forge
