// Whole reads and writes on descriptors, for the real file system. May know: base.
#pragma once

#include <string>
#include <string_view>

namespace forge {

// Each returns 0 or an errno value; interrupted and short calls are continued.
int write_fully(int fd, std::string_view bytes);
int read_fully(int fd, std::string& out);
// fsync of a file or a directory. A file system that cannot sync directories is not an error.
int sync_path(const char* path);

}  // namespace forge
