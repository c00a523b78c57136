// Searches a kernel's values on this machine: proposes, measures, keeps, and at the end confirms.
// May know: workbench.h, tuning_store.h, search.
#pragma once

#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/tune_report.h"

namespace forge {

// Interrupted or out of luck with a job, it still writes what it has into the folder of the report;
// the error says so.
Result<TuneReport> tune_kernel(const TuneOptions& options, Context& context);

}  // namespace forge
