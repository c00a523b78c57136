#include "run/deny_list.h"

#include <algorithm>

#include "sys/lies_within.h"

namespace forge {
std::vector<Path> deny_list(const DenyFacts& facts) {
  const RunPaths run(facts.run);
  std::vector<Path> denied = {run.sealed(), run.secrets(), run.problem() / "hidden_shapes.json"};
  for (const std::string& file : facts.reference) denied.push_back(run.problem() / file);
  for (const std::string& file : facts.extra) denied.push_back(run.problem() / file);
  // Problems of other generations hold kernels and references; so do finished ones and examples.
  for (const char* name : {"local.env", "kernels", "examples", "tasks"}) {
    denied.push_back(facts.project / name);
  }
  return denied;
}

const Path* first_denied(const std::vector<Path>& readable, const std::vector<Path>& denied) {
  for (const Path& path : readable) {
    const bool is_refused = std::any_of(denied.begin(), denied.end(), [&](const Path& each) {
      return lies_within(path, each) || lies_within(each, path);
    });
    if (is_refused) return &path;
  }
  return nullptr;
}

}  // namespace forge
