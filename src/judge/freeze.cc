#include "judge/freeze.h"

#include <algorithm>
#include <array>
#include <vector>

namespace forge {
namespace {

bool is_interpreter_cache(const Path& file) {
  return std::any_of(file.begin(), file.end(), [](const Path& p) { return p == "__pycache__"; });
}

Status add_file(FileReader& fs, const Path& folder, const Path& file, Hasher& hasher) {
  FORGE_TRY(const std::string content, fs.read(folder / file));
  hasher.add(file.generic_string()).add(content);
  return {};
}

}  // namespace

Result<Digest> judge_digest(FileReader& fs, const Path& problem_folder) {
  std::vector<Path> files = {"description.md", "shapes.json", "task.toml"};
  if (fs.exists(problem_folder / "hidden_shapes.json")) files.emplace_back("hidden_shapes.json");
  if (fs.is_directory(problem_folder / "check")) {
    FORGE_TRY(const std::vector<Path> check, list_files_recursively(fs, problem_folder / "check"));
    for (const Path& file : check) {
      if (!is_interpreter_cache(file)) files.push_back("check" / file);
    }
  }
  std::sort(files.begin(), files.end());
  Hasher hasher;
  for (const Path& file : files) FORGE_TRY_STATUS(add_file(fs, problem_folder, file, hasher));
  return hasher.finish();
}

}  // namespace forge
