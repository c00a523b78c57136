// What `forge tune` says and leaves behind: text, JSON and a table. Pure. May know: search,
// worker/result.h. Format: docs/formats/tuning.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "search/observation.h"
#include "search/space.h"
#include "worker/result.h"

namespace forge {

// A contrast of the confirmation: fresh trials of the best beside one opponent.
struct TuneContrast {
  std::string opponent;  // "default", or the reference's label
  std::string description;
  Contrast measured;
};

struct TuneReport {
  std::string problem;
  std::string kernel;
  Space space;
  std::vector<Observation> observations;  // relative to the space's start
  int earlier_measurements = 0;           // of those: from earlier runs
  std::string ended;                      // why the search ended
  Point best;
  double predicted = 1;  // start's time over the best's, as the search sees it
  std::string verdict;   // of the confirmation's check; empty: it was not confirmed
  std::string reason;
  std::vector<TuneContrast> confirmed;
  MachineFacts machine;  // of the last job
  double seconds = 0;
  double compile_seconds = 0;  // of those; all jobs together
  double measure_seconds = 0;
  std::string folder;  // where best kernel and table lie
};

std::string tune_text(const TuneReport& report);
Json tune_json(const TuneReport& report);
// Tab-separated, the best first: a line for each configuration that was measured.
std::string tune_table(const TuneReport& report);

}  // namespace forge
