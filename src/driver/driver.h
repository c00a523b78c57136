// Drives a run from wherever it stands to its end: plans, performs, appends to the journal, folds.
// May know: everything below driver.
#pragma once

#include <variant>

#include "driver/context.h"
#include "problem/problem.h"
#include "run/plan.h"

namespace forge {

struct Interrupted {};  // forge run on the same directory goes on
using RunEnd = std::variant<Finished, Interrupted>;

// An error leaves the run as the journal says: once its cause is removed, it can go on. kBusy:
// another driver holds the run, and the message says who.
Result<RunEnd> run_driver(const Path& run_directory, DriverContext& context);

// The state of a run on disk, without driving it.
Result<State> read_state(FileReader& fs, const Path& run_directory);

ProblemFacts facts_of(const Problem& problem);

}  // namespace forge
