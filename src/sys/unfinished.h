// What an atomic write that was killed leaves beside its file. May know: base, fs.h.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "sys/fs.h"

namespace forge {

// The temporary name under which write_atomic writes `name`; the last two tell writers apart.
std::string unfinished_name(std::string_view name, int process, unsigned count);
bool is_unfinished_name(std::string_view name);

// Removes all such files below `folder`, but for .git, which is not ours. Requires that nobody
// writes there.
Status clear_unfinished(Fs& fs, const Path& folder);

}  // namespace forge
