#include <fmt/format.h>

#include <algorithm>

#include "sys/fs.h"

namespace forge {
namespace {

// Against links that lead back to a folder above them.
constexpr int kMaxDepth = 64;

Status collect(FileReader& fs, const Path& root, const Path& below, int depth,
               std::vector<Path>& files) {
  if (depth > kMaxDepth) {
    return Error{ErrorKind::kInvalidInput, "cannot list", (root / below).string(),
                 fmt::format("folders are nested deeper than {}", kMaxDepth),
                 "look for a link that leads back to a folder above it"};
  }
  FORGE_TRY(const auto names, fs.list(root / below));
  for (const std::string& name : names) {
    const Path path = below / name;
    if (fs.is_directory(root / path)) {
      FORGE_TRY_STATUS(collect(fs, root, path, depth + 1, files));
    } else {
      files.push_back(path);
    }
  }
  return {};
}

}  // namespace

Result<std::vector<Path>> list_files_recursively(FileReader& fs, const Path& directory) {
  std::vector<Path> files;
  FORGE_TRY_STATUS(collect(fs, directory, Path(), 1, files));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace forge
