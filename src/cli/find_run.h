// From what a user types to a run's directory. May know: run/paths.h.
#pragma once

#include <string>

#include "base/error.h"
#include "sys/fs.h"

namespace forge {

// A run's directory, or a unique prefix of the name of a run in `artifacts`.
Result<Path> find_run(FileReader& fs, const Path& artifacts, const std::string& text);

}  // namespace forge
