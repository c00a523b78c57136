#include "fakes/fake_git.h"

#include "base/digest.h"
#include "base/text.h"

namespace forge {

void FakeGit::install(FakeProcessRunner& processes) {
  processes.answer({"git"}, FakeProcessRunner::Answer([this](const ProcessSpec& spec) {
                     return Result<ProcessResult>(run(spec));
                   }));
}

ProcessResult FakeGit::run(const ProcessSpec& spec) {
  std::size_t at = 1;
  while (at + 1 < spec.argv.size() && spec.argv[at] == "-c") at += 2;
  const auto& command = spec.argv.at(at);
  const auto& last = spec.argv.back();
  if (command == "init" || command == "add" || command == "clean") return exited_with(0);
  if (command == "commit") return commit(spec.working_directory);
  if (command == "reset") return reset(spec.working_directory, last);
  if (command == "update-ref") {
    refs_[spec.argv.at(at + 1)] = last;
    return exited_with(commits_.contains(last) ? 0 : 128);
  }
  return exited_with(129);
}

ProcessResult FakeGit::commit(const Path& folder) {
  const auto branch = folder / ".git" / "refs" / "heads" / "main";
  Hasher hasher;
  if (const auto parent = fs_.read(branch)) hasher.add(*parent);
  const auto files = files_in(folder);
  for (const auto& [name, content] : files) hasher.add(name).add(content);
  const auto id = hasher.finish().hex.substr(0, 40);
  commits_[id] = files;
  fs_.add_file(branch, id + "\n");
  return exited_with(0);
}

ProcessResult FakeGit::reset(const Path& folder, const std::string& id) {
  const auto found = commits_.find(id);
  if (found == commits_.end()) return exited_with(128);
  for (const auto& [name, content] : found->second) fs_.add_file(folder / name, content);
  fs_.add_file(folder / ".git" / "refs" / "heads" / "main", id + "\n");
  return exited_with(0);
}

FakeGit::Files FakeGit::files_in(const Path& folder) {
  Files files;
  const auto names = list_files_recursively(fs_, folder);
  if (!names) return files;
  for (const auto& name : *names) {
    if (name.string().starts_with(".git/")) continue;
    if (const auto content = fs_.read(folder / name)) files[name.string()] = *content;
  }
  return files;
}

}  // namespace forge
