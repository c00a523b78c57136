#include "problem/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "problem/instance.h"
#include "problem/notes.h"
#include "problem/parse_shapes.h"
#include "problem/parse_task.h"
#include "problem/task_paths.h"

namespace forge {
namespace {

constexpr const char* kTaskFile = "task.toml";
constexpr const char* kShapesFile = "shapes.json";
constexpr const char* kHiddenShapesFile = "hidden_shapes.json";
constexpr const char* kDescriptionFile = "description.md";

Error unreadable(const Path& path, ErrorKind kind, std::string cause, std::string remedy) {
  return Error{kind, "cannot read", path.string(), std::move(cause), std::move(remedy)};
}

Result<std::string> read_required(FileReader& fs, const Path& path, std::string_view remedy) {
  if (!fs.exists(path)) {
    return unreadable(path, ErrorKind::kNotFound, "the file does not exist", std::string(remedy));
  }
  return fs.read(path);
}

Result<std::string> read_description(FileReader& fs, const Path& path) {
  FORGE_TRY(std::string text, read_required(fs, path, "say in it what is computed"));
  if (trim(text).empty()) {
    return unreadable(path, ErrorKind::kInvalidInput, "the description is empty",
                      "say in it what is computed: the judge is written from it alone");
  }
  return text;
}

// Evaluates every expression at every shape and group, so that bad extents show before a run does.
Status check_instances(const Problem& problem, const std::vector<ShapeSpec>& shapes,
                       const Path& file) {
  for (const ShapeSpec& shape : shapes) {
    for (const InputGroup& group : shape.groups) {
      const Result<Instance> instance = instantiate(problem, shape, group);
      if (instance) continue;
      const Error& inner = instance.error();
      return unreadable(file, inner.kind, fmt::format("{}: {}", inner.object, inner.cause),
                        inner.remedy);
    }
  }
  return {};
}

Result<std::vector<ShapeSpec>> load_shapes(FileReader& fs, const Path& file,
                                           const Problem& problem) {
  FORGE_TRY(const std::string text, read_required(fs, file, "give at least one shape in it"));
  FORGE_TRY(auto shapes, parse_shapes(text, file.string(), problem.signature));
  FORGE_TRY_STATUS(check_instances(problem, shapes, file));
  return shapes;
}

// Verdicts and tolerances are kept by shape name, so hidden shapes need names of their own.
Status check_hidden_names(const Problem& problem, const Path& file) {
  for (const ShapeSpec& hidden : problem.hidden_shapes) {
    for (const ShapeSpec& shape : problem.shapes) {
      if (shape.name != hidden.name) continue;
      return unreadable(file, ErrorKind::kInvalidInput,
                        fmt::format("shape '{}' is named like one of {}", hidden.name, kShapesFile),
                        "choose another name");
    }
  }
  return {};
}

}  // namespace

Result<Problem> load_problem(FileReader& fs, const Path& folder, HiddenShapes hidden) {
  if (!fs.is_directory(folder)) {
    return unreadable(folder, ErrorKind::kNotFound, "it is no folder",
                      "give the folder of a problem, for example tasks/rmsnorm_cpu");
  }
  const Path task = folder / kTaskFile;
  FORGE_TRY(const std::string text,
            read_required(fs, task,
                          "a problem is a folder with task.toml, shapes.json and "
                          "description.md"));
  FORGE_TRY(Problem problem, parse_task(text, task.string(), TaskPaths(fs, folder)));
  FORGE_TRY(problem.description, read_description(fs, folder / kDescriptionFile));
  FORGE_TRY(problem.shapes, load_shapes(fs, folder / kShapesFile, problem));
  const Path hidden_file = folder / kHiddenShapesFile;
  if (hidden == HiddenShapes::kLoad && fs.exists(hidden_file)) {
    FORGE_TRY(problem.hidden_shapes, load_shapes(fs, hidden_file, problem));
    FORGE_TRY_STATUS(check_hidden_names(problem, hidden_file));
  }
  problem.not_yet_executable = not_yet_executable(problem);
  return problem;
}

Result<std::vector<Path>> problem_files(FileReader& fs, const Path& folder) {
  FORGE_TRY(std::vector<Path> files, list_files_recursively(fs, folder));
  std::erase_if(files, is_ignored_path);
  return files;
}

}  // namespace forge
