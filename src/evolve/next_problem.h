// From a run and its best to the problem of the next generation, complete in itself. May know:
// problem, run, sys.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "problem/problem.h"
#include "sys/fs.h"

namespace forge {

struct NextProblem {
  std::string name;
  Path frozen;     // the problem of the run whose best is the new reference
  Path kernel;     // that best
  Json tolerance;  // the judge's in that run: the chain keeps it, see docs/evolution.md
  double goal_ratio = 1;
  Lineage lineage;
};

// Pure: task.toml of the next problem from that of the last. Comments are lost.
Result<std::string> next_task_toml(std::string_view text, const std::string& file,
                                   const NextProblem& next);

// Writes the folder whole or not at all. One that is there already must hold exactly what would be
// written; else kBusy.
Status write_next_problem(const NextProblem& next, const Path& folder, Fs& fs);

}  // namespace forge
