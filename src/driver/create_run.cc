#include "driver/create_run.h"

#include <fmt/format.h>

#include "base/text.h"
#include "driver/secrets.h"
#include "problem/load.h"
#include "run/journal.h"
#include "run/paths.h"

namespace forge {
namespace {

Error refused(const Path& task, std::string cause, std::string remedy) {
  return Error{ErrorKind::kInvalidInput, "cannot start a run of", task.string(), std::move(cause),
               std::move(remedy)};
}

Result<Path> new_folder(const NewRun& request, const std::string& problem, Fs& fs,
                        Entropy& entropy) {
  std::string name = request.name;
  if (name.empty()) {
    FORGE_TRY(name, free_run_name(request.artifacts, problem, fs, entropy));
  }
  const Path folder = request.artifacts / name;
  FORGE_CHECK(!fs.exists(RunPaths(folder).journal()));
  FORGE_TRY_STATUS(fs.remove_all(folder));
  FORGE_TRY_STATUS(fs.make_directories(folder));
  return folder;
}

Status freeze_problem(const Path& task, const Path& frozen, Fs& fs) {
  FORGE_TRY(const auto files, problem_files(fs, task));
  for (const auto& file : files) {
    FORGE_TRY_STATUS(fs.make_directories((frozen / file).parent_path()));
    FORGE_TRY_STATUS(fs.copy_tree(task / file, frozen / file));
  }
  return {};
}

}  // namespace

Result<std::string> free_run_name(const Path& artifacts, const std::string& problem, FileReader& fs,
                                  Entropy& entropy) {
  for (int tries = 0; tries < 100; ++tries) {
    std::string name = format_run_name({problem, run_id(entropy.next())});
    if (!fs.exists(artifacts / name)) return name;
  }
  return Error{ErrorKind::kInfrastructure, "cannot find a free name in", artifacts.string(),
               "a hundred random ones are taken", ""};
}

Status check_executable(const Problem& problem, const Path& task) {
  if (!problem.not_yet_executable.empty()) {
    return refused(task, join(problem.not_yet_executable, " "),
                   "forge new --dry-run shows what is understood");
  }
  if (problem.reference.implementations.empty()) {
    return refused(task, "it has no reference to beat", "add run = \"…\" to [reference]");
  }
  if (problem.judge.oracle.empty()) {
    return refused(task, "it has no oracle, and no agent is configured to write one",
                   "add [judge] with oracle = \"check/oracle.py\"");
  }
  return {};
}

Status check_start(const Problem& problem, std::string_view backend, const Path& task) {
  if (problem.start_path) return {};
  return refused(task, fmt::format("the {} agent can't write a kernel from nothing", backend),
                 "add [start] with path = \"start/\" and a kernel that has tunables");
}

Result<Digest> problem_digest(FileReader& fs, const Path& folder) {
  FORGE_TRY(const auto files, problem_files(fs, folder));
  Hasher hasher;
  for (const auto& file : files) {
    FORGE_TRY(const auto content, fs.read(folder / file));
    hasher.add(file.generic_string()).add(content);
  }
  return hasher.finish();
}

Result<Path> create_run(const NewRun& request, Fs& fs, Clock& clock, Entropy& entropy) {
  FORGE_TRY(const auto problem, load_problem(fs, request.task, HiddenShapes::kLoad));
  FORGE_TRY_STATUS(check_executable(problem, request.task));
  FORGE_TRY_STATUS(check_start(problem, request.backend, request.task));
  FORGE_TRY(const auto folder, new_folder(request, problem.name, fs, entropy));
  const RunPaths paths(folder);
  FORGE_TRY_STATUS(freeze_problem(request.task, paths.problem(), fs));
  FORGE_TRY_STATUS(write_secrets(fs, paths, draw_secrets(entropy)));
  if (!request.agents.empty()) {
    FORGE_TRY_STATUS(fs.write_atomic(paths.agents(), request.agents));
  }

  RunCreated created;
  created.problem = problem.name;
  created.target = target_name(problem.target);
  FORGE_TRY(const auto digest, problem_digest(fs, paths.problem()));
  created.problem_digest = digest.hex;
  created.seed = entropy.next();
  created.tool = request.tool;
  created.backend = request.backend;
  created.model = request.model;
  created.boundary = request.boundary;
  // Written whole under another name and renamed: a run either exists with its first event or not.
  const JournalEntry entry{1, clock.utc_now(), 0, created};
  FORGE_TRY_STATUS(fs.write_atomic(paths.journal(), journal_line(entry) + "\n"));
  return folder;
}

}  // namespace forge
