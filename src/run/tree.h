// The operator tree: a git repository in which every round is a commit. May know: base, sys.
//
// git runs with a fixed identity and without anyone's configuration or hooks.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "sys/fs.h"
#include "sys/process.h"

namespace forge {

class OperatorTree {
 public:
  OperatorTree(Path folder, Fs& fs, ProcessRunner& processes)
      : folder_(std::move(folder)), fs_(fs), processes_(processes) {}

  // Makes the folder a repository and commits what is in it; returns the commit.
  Result<std::string> create(std::string_view message);
  // Commits everything in the folder. Harmless if nothing changed: then it is an empty commit.
  Result<std::string> commit(std::string_view message);
  Result<std::string> current_commit();
  // Makes the folder what `commit` holds; what was not committed is lost.
  Status reset_to(std::string_view commit);
  // Keeps a commit that reset_to leaves behind, as refs/forge/<name>.
  Status keep(std::string_view name, std::string_view commit);

 private:
  // Removes every lock a killed git left: whoever drives the run is alone in its tree, and with a
  // lock in place no other git works there.
  Status clear_locks();
  Result<std::string> git(std::vector<std::string> arguments, std::string_view attempt);

  Path folder_;
  Fs& fs_;
  ProcessRunner& processes_;
};

}  // namespace forge
