// What a legal problem asks for that this version can't execute. Pure. May know: base.
#pragma once

#include <string>
#include <vector>

#include "problem/problem.h"

namespace forge {

// One sentence each, for Problem::not_yet_executable: of runs.
std::vector<std::string> not_yet_executable(const Problem& problem);

// The same for judging single kernels, which asks for less.
std::vector<std::string> not_yet_judgeable(const Problem& problem);

}  // namespace forge
