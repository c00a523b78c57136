#include "problem/notes.h"

#include <fmt/format.h>

namespace forge {
namespace {

constexpr std::size_t kWantedGroups = 3;

void note_few_groups(const std::vector<ShapeSpec>& shapes, std::string_view file,
                     std::vector<std::string>& out) {
  for (const ShapeSpec& shape : shapes) {
    if (shape.groups.size() >= kWantedGroups) continue;
    out.push_back(
        fmt::format("shape '{}' has {} of at least {} input groups, and an agent must add the "
                    "others: add them to {} for now",
                    shape.name, shape.groups.size(), kWantedGroups, file));
  }
}

}  // namespace

std::vector<std::string> not_yet_executable(const Problem& problem) {
  std::vector<std::string> out = not_yet_judgeable(problem);
  if (problem.target == Target::kCuda) {
    out.insert(out.begin(),
               "there are no runs on target \"cuda\" yet: forge judge judges its kernels");
  }
  return out;
}

std::vector<std::string> not_yet_judgeable(const Problem& problem) {
  std::vector<std::string> out;
  if (problem.reference.mode == ReferenceMode::kGenerate) {
    out.push_back(
        "there is no [reference], and an agent must write one: name one with 'run' for now");
  }
  if (problem.reference.mode == ReferenceMode::kLeaderboard) {
    out.push_back("[leaderboard] can't be used yet: give a [reference] for now");
  }
  if (problem.judge.oracle.empty()) {
    out.push_back(
        "there is no oracle, and an agent must write it: name one with 'oracle' in [judge] for "
        "now");
  }
  note_few_groups(problem.shapes, "shapes.json", out);
  note_few_groups(problem.hidden_shapes, "hidden_shapes.json", out);
  return out;
}

}  // namespace forge
