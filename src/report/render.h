// Renders a report: a summary for the terminal, Markdown for report.md. Pure. May know: model.h.
#pragma once

#include <string>

#include "report/model.h"

namespace forge {

// What a run ends with: opponent, times, ratio, flags, where the files are.
std::string render_summary(const ReportModel& model);
std::string render_markdown(const ReportModel& model);

}  // namespace forge
