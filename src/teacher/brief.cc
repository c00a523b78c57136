#include "teacher/brief.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "teacher/digest.h"

namespace forge {
namespace {

Error not_accepted(std::string object, std::string cause) {
  return Error{ErrorKind::kInvalidInput, "cannot accept", std::move(object), std::move(cause),
               "see docs/formats/milestones.md"};
}

std::string trigger_of(const State& state) {
  return state.teacher_pending ? std::string(trigger_text(state.teacher_pending->trigger)) : "";
}

}  // namespace

Json teacher_brief(const State& state, const ProblemFacts& facts, int version,
                   const std::vector<FrozenMilestone>& frozen, Json search) {
  Json brief = Json::object();
  brief.set("format", 1);
  brief.set("task", "milestones");
  brief.set("version", version);
  brief.set("trigger", trigger_of(state));
  brief.set("goal_ratio", facts.goal_ratio);
  Json closed = Json::array();
  for (const auto& milestone : frozen) {
    Json json = Json::object();
    json.set("id", milestone.id);
    json.set("toml", milestone.toml);
    closed.push_back(std::move(json));
  }
  brief.set("frozen", std::move(closed));
  brief.set("digest", render(digest_run(state, facts)));
  if (const auto* members = search.as_object()) {
    for (const auto& [key, value] : *members) brief.set(key, value);
  }
  return brief;
}

std::string teacher_prompt(const State& state, const ProblemFacts& facts, int version) {
  auto text = fmt::format("# Milestones v{}\n\n", version);
  if (state.scouted) text += fmt::format("## The reference\n\n{}\n\n", state.scouted->findings);
  if (state.teacher_pending) {
    text += fmt::format("The student handed back ({}): {}\n\n", trigger_of(state),
                        state.teacher_pending->detail);
  }
  return text + fmt::format("## The run so far\n\n{}", render(digest_run(state, facts)));
}

Result<std::vector<Milestone>> accept_milestones(const std::vector<MilestoneText>& files) {
  std::vector<Milestone> milestones;
  for (const auto& file : files) {
    FORGE_TRY(auto milestone, parse_milestone(file.toml, file.file));
    if (milestone.id + ".toml" != file.file) {
      return not_accepted(file.file, fmt::format("it holds milestone '{}'", milestone.id));
    }
    milestones.push_back(std::move(milestone));
  }
  if (milestones.empty()) return not_accepted("the milestones", "there are none");
  // M2 before M10.
  std::stable_sort(milestones.begin(), milestones.end(), [](const auto& a, const auto& b) {
    return std::pair(a.id.size(), a.id) < std::pair(b.id.size(), b.id);
  });
  const auto problems = lint_milestones(milestones);
  if (!problems.empty()) return not_accepted("the milestones", join(problems, "; "));
  return milestones;
}

}  // namespace forge
