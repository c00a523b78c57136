// What a student is told in a turn. Pure. May know: run. Format: docs/formats/turn.md; the text for
// those who read prose is prompts/student.md.
#pragma once

#include <string>

#include "base/json.h"
#include "run/milestone.h"
#include "run/plan.h"
#include "run/state.h"

namespace forge {

// `search`: seed, tunables and attempts, the part that every brief has.
Json student_brief(const State& state, const Milestone& milestone, const Row& row, int round,
                   Json search);

// The same for those who read prose.
std::string student_prompt(const State& state, const ProblemFacts& facts,
                           const Milestone& milestone, const Row& row);

// What became of the last candidate, with the numbers; empty before the first one.
std::string feedback(const State& state);

}  // namespace forge
