// What in a run's directory no one reads again. Pure. May know: paths.h, state.h. Which files are
// kept and why: docs/formats/run-directory.md.
#pragma once

#include <vector>

#include "run/paths.h"
#include "run/state.h"

namespace forge {

// Whether they exist or not. Results, prompts, briefs and what agents answered always stay, as does
// everything of a job whose outcome is not in the journal. While a run goes on only copies of the
// problem and build folders go; when it has finished, also the bundles of all jobs but the best's
// own and its confirmation, and the workspaces of turns.
std::vector<Path> garbage(const State& state, const RunPaths& paths);

}  // namespace forge
