#include "teacher/brief.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/template.h"
#include "base/text.h"
#include "teacher/digest.h"

extern "C" const char forge_teacher_prompt_begin[];
extern "C" const char forge_teacher_prompt_end[];

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

std::string teacher_prompt(const State& state, const ProblemFacts& facts, int version,
                           const std::vector<FrozenMilestone>& frozen, ReferenceSight reference) {
  Json data = Json::object();
  data.set("version", version);
  data.set("trigger", trigger_of(state));
  data.set("detail", state.teacher_pending ? state.teacher_pending->detail : "");
  data.set("findings", state.scouted ? state.scouted->findings : "");
  data.set("digest", render(digest_run(state, facts)));
  Json closed = Json::array();
  for (const auto& milestone : frozen) {
    Json json = Json::object();
    json.set("id", milestone.id);
    closed.push_back(std::move(json));
  }
  data.set("frozen", std::move(closed));
  data.set("sees_reference", reference == ReferenceSight::kShown);
  data.set("failure", state.failure);
  return render_own_template(forge_teacher_prompt_begin, forge_teacher_prompt_end, data,
                             "prompts/teacher.md");
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
