// Who holds a file's lock, asked without taking it: whoever wants it at that moment must not be
// turned away. May know: base, fs.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sys/fs.h"

namespace forge {

// The process that holds FileLock on `path`; nothing if none does, or one that this machine can't
// see (another host, another container).
std::optional<int> lock_owner(const Path& path);

// The same from the text of /proc/locks. The inode alone decides: on layered file systems the
// device that is written there is not the one that stat() tells.
std::optional<int> lock_owner_in(std::string_view proc_locks, std::uint64_t inode);

}  // namespace forge
