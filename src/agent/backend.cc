#include "agent/backend.h"

namespace forge {

std::string_view role_name(Role role) {
  switch (role) {
    case Role::kTeacher:
      return "teacher";
    case Role::kStudent:
      return "student";
    case Role::kJudgeAuthor:
      return "judge_author";
    case Role::kReviewer:
      return "reviewer";
  }
  FORGE_CHECK(!"every role has a name");
  return {};
}

std::optional<Role> parse_role(std::string_view name) {
  for (const Role role : {Role::kTeacher, Role::kStudent, Role::kJudgeAuthor, Role::kReviewer}) {
    if (role_name(role) == name) return role;
  }
  return std::nullopt;
}

std::string_view outcome_name(const TurnOutcome& outcome) {
  if (std::holds_alternative<TurnDone>(outcome)) return "done";
  return std::holds_alternative<TurnPassed>(outcome) ? "passed" : "failed";
}

const std::string& words_of(const TurnOutcome& outcome) {
  if (const auto* done = std::get_if<TurnDone>(&outcome)) return done->note;
  if (const auto* passed = std::get_if<TurnPassed>(&outcome)) return passed->reason;
  return std::get<TurnFailed>(outcome).reason;
}

const TurnUsage& usage_of(const TurnOutcome& outcome) {
  return std::visit([](const auto& kind) -> const TurnUsage& { return kind.usage; }, outcome);
}

std::optional<TurnOutcome> make_outcome(std::string_view name, std::string words, TurnUsage usage) {
  if (name == "done") return TurnDone{std::move(words), usage};
  if (name == "passed") return TurnPassed{std::move(words), usage};
  if (name == "failed") return TurnFailed{std::move(words), usage};
  return std::nullopt;
}

}  // namespace forge
