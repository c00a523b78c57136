// What became of a candidate. A variant, not an error: errors are for the machinery.
// May know: base, stats.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace forge {

// One wrong element, or one failed comparison, with what a writer needs to find the fault.
struct WrongValue {
  std::string shape;
  std::string group;
  std::string output;
  std::vector<std::int64_t> index;
  double expected = 0;
  double got = 0;
  double error = 0;  // as the tolerance rule measures it
  double tolerance = 0;
  std::int64_t wrong_elements = 0;  // of this output in this case
  std::int64_t elements = 0;
  // Of an output that the oracle compares itself: what is wrong, in its words. Then there is no
  // element to show, and the tolerance is 1.
  std::string detail = {};
};

struct CompileError {
  std::string log;
};
struct LaunchError {
  std::string shape;
  std::string reason;
};
struct TimeoutOutcome {
  std::string shape;
  std::string reason;
};
struct Crash {
  std::string shape;
  std::string reason;
};
// `worst`: one per failing (shape, group, output), worst first. `checked`: how many (shape, group,
// output)s were compared; 0 where that is not known.
struct Wrong {
  std::vector<WrongValue> worst;
  int checked = 0;
};
struct InputsModified {
  std::string shape;
  std::string tensor;
};
struct Refused {
  std::string reason;
};  // says in words what was tried
struct Passed {};
struct NoVerdict {
  std::string reason;
};  // infrastructure or noise; never counted as wrong

using CandidateOutcome = std::variant<Passed, CompileError, LaunchError, TimeoutOutcome, Crash,
                                      Wrong, InputsModified, Refused, NoVerdict>;

// The `verdict` of JSON outputs: passed, wrong, refused, compile_error, launch_error, crash,
// timeout, no_verdict. InputsModified is spelled "wrong".
std::string_view verdict_name(const CandidateOutcome& outcome);
// One or a few sentences for a person or an agent; empty for Passed.
std::string explain(const CandidateOutcome& outcome);
// Nine digits; NaN without the sign that printf gives it, which means nothing to a reader.
std::string number_text(double value);

Json to_json(const CandidateOutcome& outcome);
Result<CandidateOutcome> outcome_from_json(const JsonReader& reader);

}  // namespace forge
