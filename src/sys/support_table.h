// The embedded files as the build made them (cmake/ForgeEmbed.cmake). For support_files.cc alone.
#pragma once

#include <cstddef>

namespace forge {

struct SupportFile {
  const char* path;  // below the source tree: "python/forge_oracle.py"
  const char* begin;
  const char* end;
};
extern const SupportFile kSupportFiles[];
extern const std::size_t kSupportFileCount;

}  // namespace forge
