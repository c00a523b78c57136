#include "run/tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::string_view kBranch = "main";

bool is_commit_id(std::string_view text) {
  return text.size() >= 40 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

Result<std::string> OperatorTree::git(std::vector<std::string> arguments,
                                      std::string_view attempt) {
  ProcessSpec spec;
  // fsync: the journal names commits, so a commit must not be younger on disk than its event.
  spec.argv = {"git",
               "-c",
               "core.fsync=committed,reference",
               "-c",
               "core.hooksPath=/dev/null",
               "-c",
               "gc.auto=0",
               "-c",
               "commit.gpgSign=false"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.working_directory = folder_;
  spec.environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"},
                      {"GIT_CONFIG_NOSYSTEM", "1"},
                      {"GIT_DIR", ".git"},
                      {"GIT_WORK_TREE", "."},
                      {"GIT_AUTHOR_NAME", "forge"},
                      {"GIT_AUTHOR_EMAIL", "forge@localhost"},
                      {"GIT_COMMITTER_NAME", "forge"},
                      {"GIT_COMMITTER_EMAIL", "forge@localhost"},
                      {"LC_ALL", "C"}};
  spec.limits.wall = std::chrono::seconds(60);
  FORGE_TRY(const auto result, processes_.run(spec));
  if (!result.succeeded()) {
    return Error{ErrorKind::kInfrastructure, std::string(attempt), folder_.string(),
                 fmt::format("git {} {}: {}", arguments.front(), result.describe_end(),
                             clip(trim(printable(result.standard_error)), 400)),
                 "check that git is installed and the disk is writable"};
  }
  return std::string(trim(result.standard_output));
}

Status OperatorTree::clear_locks() {
  const auto repository = folder_ / ".git";
  if (!fs_.is_directory(repository)) return {};
  FORGE_TRY(const auto names, fs_.list(repository));
  std::vector<Path> locks(names.begin(), names.end());
  if (fs_.is_directory(repository / "refs")) {
    FORGE_TRY(const auto references, list_files_recursively(fs_, repository / "refs"));
    for (const auto& reference : references) locks.push_back(Path("refs") / reference);
  }
  for (const auto& name : locks) {
    if (!name.native().ends_with(".lock")) continue;
    FORGE_TRY_STATUS(fs_.remove_all(repository / name));
  }
  return {};
}

Result<std::string> OperatorTree::create(std::string_view message) {
  FORGE_TRY_STATUS(clear_locks());
  FORGE_TRY(const auto output,
            git({"init", "-q", "-b", std::string(kBranch)}, "cannot create the operator tree"));
  static_cast<void>(output);
  return commit(message);
}

Result<std::string> OperatorTree::commit(std::string_view message) {
  FORGE_TRY_STATUS(clear_locks());
  FORGE_TRY(const auto added, git({"add", "-A"}, "cannot commit"));
  FORGE_TRY(const auto committed,
            git({"commit", "-q", "--allow-empty", "--no-verify", "-m", std::string(message)},
                "cannot commit"));
  return current_commit();
}

Result<std::string> OperatorTree::current_commit() {
  // The branch's file spares a process a round; git packs refs only when asked to.
  const auto head = fs_.read(folder_ / ".git" / "refs" / "heads" / kBranch);
  if (head && is_commit_id(trim(*head))) return std::string(trim(*head));
  return git({"rev-parse", "HEAD"}, "cannot read the commit of");
}

Status OperatorTree::reset_to(std::string_view commit) {
  FORGE_TRY_STATUS(clear_locks());
  FORGE_TRY(const auto reset,
            git({"reset", "-q", "--hard", std::string(commit)}, "cannot roll back"));
  FORGE_TRY(const auto cleaned, git({"clean", "-q", "-f", "-d", "-x"}, "cannot roll back"));
  return {};
}

Status OperatorTree::keep(std::string_view name, std::string_view commit) {
  FORGE_TRY_STATUS(clear_locks());
  FORGE_TRY(const auto updated,
            git({"update-ref", fmt::format("refs/forge/{}", name), std::string(commit)},
                "cannot keep a commit of"));
  return {};
}

}  // namespace forge
