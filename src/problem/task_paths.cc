#include "problem/task_paths.h"

#include <fmt/format.h>

#include <algorithm>

namespace forge {
namespace {

std::string why_not_inside(const Path& path) {
  if (path.empty()) return "is empty";
  if (path.is_absolute()) return "is absolute";
  if (std::find(path.begin(), path.end(), "..") != path.end()) {
    return "leaves the problem's folder";
  }
  if (is_ignored_path(path)) return "is hidden or a cache, which is never frozen into a run";
  return "";
}

}  // namespace

bool is_ignored_path(const Path& relative) {
  return std::any_of(relative.begin(), relative.end(), [](const Path& part) {
    const std::string& name = part.native();
    return (name.starts_with('.') && name != ".") || name == "__pycache__";
  });
}

bool TaskPaths::has_file(const Path& relative) const {
  const Path path = folder_ / relative;
  return fs_->exists(path) && !fs_->is_directory(path);
}

Status TaskPaths::check(const TomlReader& reader, std::string_view key,
                        const Located<std::string>& path, PathKind kind) const {
  const std::string subject = fmt::format("'{}' of {}", path.value, reader.describe(key));
  if (const std::string why = why_not_inside(path.value); !why.empty()) {
    return reader.error(path.line, fmt::format("{} {}", subject, why),
                        "give a path relative to the problem's folder and inside it");
  }
  const Path full = folder_ / path.value;
  if (!fs_->exists(full)) {
    return reader.error(path.line, subject + " does not exist",
                        fmt::format("create it in {} or correct the path", folder_.string()));
  }
  const bool is_folder = fs_->is_directory(full);
  if (kind == PathKind::kFile && is_folder) {
    return reader.error(path.line, subject + " is a folder", "name a file");
  }
  if (kind == PathKind::kFolder && !is_folder) {
    return reader.error(path.line, subject + " is a file", "name a folder");
  }
  return {};
}

}  // namespace forge
