// The runs of a folder as forge status shows them. May know: report/run_summary.h, context.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "report/run_summary.h"

namespace forge {

struct ListedRun {
  std::string name;
  RunSummary summary;
  std::optional<int> driver;     // the process that drives it now
  double elapsed_s = 0;          // now, if it is driven
  std::optional<double> left_s;  // of the inner loop's budget, while it is driven in it
};

// Sorted by name; empty if there is no such folder. Reads a journal whole only if it is not the one
// that the summary kept beside it is of; keeps a new summary where that can be written.
Result<std::vector<ListedRun>> list_runs(Context& context);

}  // namespace forge
