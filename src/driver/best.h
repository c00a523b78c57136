// best/: the best kernel so far, ready to take away. Derived from the journal; written anew
// whenever the best changes. May know: run, problem, target, worker/result.h.
#pragma once

#include "problem/problem.h"
#include "run/paths.h"
#include "run/state.h"
#include "sys/fs.h"

namespace forge {

// kernel.cpp and all that it includes (forge_args.h, include/), bench.json (of the confirmation if
// there was one, else of the round) and build.txt; without a best the folder is removed.
Status export_best(const State& state, const Problem& problem, const RunPaths& paths, Fs& fs);

}  // namespace forge
