// One line's worth of a run: what forge status shows, and keeps beside the journal so that a
// thousand runs need not be folded again. Pure. May know: run/state.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "run/state.h"

namespace forge {

struct RunSummary {
  std::string stage;      // "forge", "done"; "unreadable" with the reason in `error`
  std::string ending;     // of a finished run
  std::string error;      // why it can't be read
  std::string milestone;  // the first that is not closed; empty: none
  std::string row;        // of the last round
  int rounds = 0;
  std::string last_verdict;
  std::optional<Interval> ratio;  // of the confirmation, else of the best round's own job
  bool confirmed = false;
  double elapsed_s = 0;                 // at the last event
  std::string last_event_at;            // UTC; empty: there is none
  std::optional<double> forge_began_s;  // when the inner loop's budget began to count
};

RunSummary summarise(const State& state);
// Of a run whose journal can't be read.
RunSummary unreadable(const Error& error);

Json to_json(const RunSummary& summary);
Result<RunSummary> run_summary_from_json(const Json& json, std::string_view document);

// A summary together with which journal it is of: its length and the end of its last line, which
// holds that line's checksum. A journal only ever grows, so another one differs in the length.
// Format: docs/formats/run-directory.md.
std::string kept_summary(const RunSummary& summary, std::string_view journal);
// Nothing if it can't be read or is of another journal.
std::optional<RunSummary> take_kept_summary(std::string_view kept, std::string_view journal);

}  // namespace forge
