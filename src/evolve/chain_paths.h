// The one place that knows where things of a chain lie. May know: sys/fs.h. Format:
// docs/formats/chain.md.
#pragma once

#include <string>

#include "sys/fs.h"

namespace forge {

// .artifacts/<name>.chain/ belongs to the chain that began with problem <name>; no run's name has
// this form.
class ChainPaths {
 public:
  ChainPaths(const Path& artifacts, const std::string& problem)
      : root_(artifacts / (problem + ".chain")) {}

  const Path& root() const { return root_; }
  Path journal() const { return root_ / "chain.jsonl"; }
  Path lock() const { return root_ / "driver.lock"; }
  Path report() const { return root_ / "report.md"; }
  // The job that measures all generations side by side.
  Path job() const { return root_ / "cumulative"; }
  Path job_bundle() const { return job() / "bundle"; }
  Path job_result() const { return job() / "result"; }

 private:
  Path root_;
};

// Generation k of problem `name`: its own name, and its folder beside the original's.
inline std::string generation_name(const std::string& name, int generation) {
  return generation == 0 ? name : name + "-g" + std::to_string(generation);
}
inline Path generation_task(const Path& original_task, const std::string& name, int generation) {
  return generation == 0 ? original_task
                         : original_task.parent_path() / generation_name(name, generation);
}

}  // namespace forge
