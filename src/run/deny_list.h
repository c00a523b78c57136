// What no student may read, whatever else it is given. Derived; a problem may add to it and nothing
// takes anything away. Pure. May know: paths.h. Why each entry is there: docs/threat-model.md.
#pragma once

#include <string>
#include <vector>

#include "run/paths.h"

namespace forge {

struct DenyFacts {
  Path project;                        // the folder that forge was started in
  Path run;                            // the run's directory
  std::vector<std::string> reference;  // files and folders of the reference, in the problem
  std::vector<std::string> extra;      // the problem's own 'deny', in the problem's folder
};

// Absolute or relative as `project` and `run` are; files and folders, and all below these.
std::vector<Path> deny_list(const DenyFacts& facts);

// The first of `readable` that is a denied path, lies below one, or contains one; nullptr: none.
const Path* first_denied(const std::vector<Path>& readable, const std::vector<Path>& denied);

}  // namespace forge
