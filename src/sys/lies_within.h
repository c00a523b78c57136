// Whether a path is in a folder, by their text alone. Pure. May know: fs.h.
#pragma once

#include <vector>

#include "sys/fs.h"

namespace forge {

// True for the folder itself and everything below it. Links are not followed: what must not be
// fooled by one resolves both paths first. "." holds every relative path that does not climb out.
bool lies_within(const Path& path, const Path& folder);
// In any of them.
bool lies_within_any(const Path& path, const std::vector<Path>& folders);

}  // namespace forge
