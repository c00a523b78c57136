// `forge new`: freezes a problem into a new run's directory. May know: problem, run, sys.
#pragma once

#include <string>

#include "base/digest.h"
#include "base/error.h"
#include "problem/problem.h"
#include "sys/clock.h"
#include "sys/fs.h"

namespace forge {

struct NewRun {
  Path task;            // tasks/<name>
  Path artifacts;       // where runs lie
  std::string tool;     // "forge 0.1.0"
  std::string backend;  // as Backend::name() and model() say
  std::string model;
  std::string boundary;  // "none needed: the builtin agent reads its brief only"
  std::string agents;    // text of agents.toml, without secrets; empty: the builtin agent
  std::string name;      // of the run's directory; empty: a free one is drawn
};

// "<problem>_<id>" that no run in `artifacts` has.
Result<std::string> free_run_name(const Path& artifacts, const std::string& problem, FileReader& fs,
                                  Entropy& entropy);

// Refuses what this version can't execute.
Status check_executable(const Problem& problem, const Path& task);
// Refuses what the agents can't begin without.
Status check_start(const Problem& problem, std::string_view backend, const Path& task);

// Returns the run's directory. The journal is written last: without it a directory is no run, and
// one that was left so under the name that is asked for is replaced.
Result<Path> create_run(const NewRun& request, Fs& fs, Clock& clock, Entropy& entropy);

// Of the names and contents of all files of a problem.
Result<Digest> problem_digest(FileReader& fs, const Path& folder);

}  // namespace forge
