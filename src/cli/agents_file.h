// Where agents.toml is read from. May know: agent/config.h, run/paths.h.
#pragma once

#include "agent/config.h"
#include "sys/fs.h"

namespace forge {

// `file`: as the user named it; empty: agents.toml in this folder, and the builtin agent for every
// role if there is none.
Result<AgentsConfig> read_agents(FileReader& fs, const Path& file);
// Those that a run was made with.
Result<AgentsConfig> agents_of_run(FileReader& fs, const Path& run);

}  // namespace forge
