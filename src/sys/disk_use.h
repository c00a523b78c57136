// What files take up. May know: base, fs.h.
#pragma once

#include <cstdint>

#include "sys/fs.h"

namespace forge {

// Bytes that the file, or everything below the folder, occupies on disk: whole blocks, which is
// more than the sizes of many small files. 0 if it is not there; links are not followed.
std::uint64_t disk_use(const Path& path);

}  // namespace forge
