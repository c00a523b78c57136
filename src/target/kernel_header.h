// Generates forge_args.h: the documented C++ view of a problem's kernel interface, the same for
// both targets. Pure. May know: base, problem, args_layout.h.
#pragma once

#include <map>
#include <string>

#include "base/error.h"
#include "problem/problem.h"

namespace forge {

// Self-contained next to include/forge/kernel.h: struct Dims, struct Args with a comment for each
// member (shape, dtype, meaning, range), the declarations of forge_launch and forge_workspace.
std::string kernel_header(const Problem& problem);

// The header injected with -include, which sets tunables: one `#define FORGE_SET_<name> ~, value`
// a line. An error if a name is no identifier or a value no single C++ literal or identifier.
Result<std::string> tunable_header(const std::map<std::string, std::string>& values);

}  // namespace forge
