#include "sys/lies_within.h"

#include <algorithm>

namespace forge {

bool lies_within(const Path& path, const Path& folder) {
  const Path inner = path.lexically_normal();
  Path outer = folder.lexically_normal();
  if (!outer.has_filename()) outer = outer.parent_path();  // "a/b/" ends in an empty name
  if (outer == ".") return inner.is_relative() && *inner.begin() != "..";
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

bool lies_within_any(const Path& path, const std::vector<Path>& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](const Path& folder) { return lies_within(path, folder); });
}

}  // namespace forge
