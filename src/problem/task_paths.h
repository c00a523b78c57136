// Paths that task.toml names: relative, inside the problem's folder, and there. May know: base,
// sys/fs.h (reading only).
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "problem/toml_reader.h"
#include "sys/fs.h"

namespace forge {

enum class PathKind { kFile, kFolder, kEither };

class TaskPaths {
 public:
  TaskPaths(FileReader& fs, Path folder) : fs_(&fs), folder_(std::move(folder)) {}

  // Errors name `reader`'s file, the line of `path` and `key`.
  Status check(const TomlReader& reader, std::string_view key, const Located<std::string>& path,
               PathKind kind) const;
  bool has_file(const Path& relative) const;

 private:
  FileReader* fs_;
  Path folder_;
};

// Files that are no part of a problem and are not frozen: hidden ones and Python's caches.
bool is_ignored_path(const Path& relative);

}  // namespace forge
