// What `forge new --dry-run` prints. Pure. May know: problem, target/tunables.h.
#pragma once

#include <string>
#include <vector>

#include "problem/problem.h"
#include "target/tunables.h"

namespace forge {

struct DryRunFindings {
  std::string compiler;
  std::string python;  // empty: the problem needs none
  std::string agents;  // a line a role
  std::vector<Tunable> tunables;
};

std::string render_plan(const Problem& problem, const DryRunFindings& findings);

}  // namespace forge
