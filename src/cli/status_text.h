// One line a run. Pure. May know: run_list.h.
#pragma once

#include <string>
#include <vector>

#include "cli/run_list.h"

namespace forge {

// Without a line end.
std::string run_line(const ListedRun& run);
Json to_json(const ListedRun& run);

// What fits into `rows` lines, two for each run: runs that are driven first, then the others, the
// latest first; the last line says how many were left out. At least one row.
std::vector<std::string> watched_lines(std::vector<ListedRun> runs, int rows);

}  // namespace forge
