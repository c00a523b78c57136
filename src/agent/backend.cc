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

}  // namespace forge
