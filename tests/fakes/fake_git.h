// git for runs on a FakeFs: knows the commands that OperatorTree uses and starts nothing. Commits
// survive what happens to the file system, as they do on a disk. For tests only.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sys/fs_fake.h"
#include "sys/process_fake.h"

namespace forge {

class FakeGit {
 public:
  explicit FakeGit(FakeFs& fs) : fs_(fs) {}

  // Answers every `git …` of `processes`.
  void install(FakeProcessRunner& processes);

  using Files = std::map<std::string, std::string>;  // name -> content
  const std::map<std::string, Files>& commits() const { return commits_; }
  const std::map<std::string, std::string>& refs() const { return refs_; }

 private:
  ProcessResult run(const ProcessSpec& spec);
  ProcessResult commit(const Path& folder);
  ProcessResult reset(const Path& folder, const std::string& id);
  Files files_in(const Path& folder);

  FakeFs& fs_;
  std::map<std::string, Files> commits_;
  std::map<std::string, std::string> refs_;
};

}  // namespace forge
