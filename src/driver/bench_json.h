// bench.json: the best's numbers with a stable head, and the whole result behind it. Pure. May
// know: run, problem, worker/result.h. Format: docs/formats/bench.md.
#pragma once

#include <string>

#include "base/json.h"
#include "problem/problem.h"
#include "run/journal.h"
#include "run/state.h"
#include "worker/result.h"

namespace forge {

struct BenchSource {
  const Problem& problem;
  const State& state;  // that has a best and a baseline
  const Journal& journal;
  const JobResult& result;  // of the confirmation, else of the best's round
  const Json& result_json;  // the same as it was written
};

Json bench_json(const BenchSource& source);

}  // namespace forge
