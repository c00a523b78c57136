// What a teacher is told, and what it may answer. Pure. May know: run. Format:
// docs/formats/turn.md; the text for those who read prose is prompts/teacher.md.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "run/milestone.h"
#include "run/plan.h"

namespace forge {

// A milestone's file as it was written, for those that are closed.
struct FrozenMilestone {
  std::string id;
  std::string toml;
};

// `search`: seed, tunables and attempts, the part that every brief has.
Json teacher_brief(const State& state, const ProblemFacts& facts, int version,
                   const std::vector<FrozenMilestone>& frozen, Json search);

// Whether the reference's source lies in the teacher's view.
enum class ReferenceSight { kShown, kHidden };
std::string teacher_prompt(const State& state, const ProblemFacts& facts, int version,
                           const std::vector<FrozenMilestone>& frozen, ReferenceSight reference);

struct MilestoneText {
  std::string file;  // "M0.toml"
  std::string toml;
};

// Milestones in the order M0, M1, …; the error says what is wrong with them, all of it.
Result<std::vector<Milestone>> accept_milestones(const std::vector<MilestoneText>& files);

}  // namespace forge
