// Plays the turns of another run back: the same outcomes, the same files left behind. May know:
// base, sys, run/paths.h.
#pragma once

#include <memory>

#include "agent/backend.h"
#include "sys/fs.h"

namespace forge {

// `run`: the directory of the run that was recorded.
std::unique_ptr<Backend> make_replay_backend(Fs& fs, Path run);

}  // namespace forge
