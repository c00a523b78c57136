// Fills the report's model from a run's directory: journal, frozen problem, job results. Reads
// only. May know: run, problem, worker/result.h, driver.
#pragma once

#include "base/error.h"
#include "report/model.h"
#include "sys/fs.h"

namespace forge {

// Works at any moment of a run; what did not happen yet is left out.
Result<ReportModel> read_report(FileReader& fs, const Path& run);

}  // namespace forge
