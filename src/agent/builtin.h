// The agent that needs no model: it searches the values that the kernel itself declares.
// May know: base, sys.
#pragma once

#include <memory>

#include "agent/backend.h"
#include "sys/fs.h"

namespace forge {

// As teacher it writes M0.toml (structure) and M1.toml (tuning) into the workspace, a row for each
// value that a sweep advises, the dearest first; as student it sets the row's tunable to that
// value, in the file that the brief names. Equal briefs give equal turns.
std::unique_ptr<Backend> make_builtin_backend(Fs& fs);

}  // namespace forge
