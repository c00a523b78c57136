// Whether a milestone's gate is passed. Pure. May know: run.
#pragma once

#include <string_view>

#include "run/milestone.h"
#include "run/state.h"

namespace forge {

// Mechanism gates need profile data that rounds do not have here: they come out as not evaluated.
GateEvaluated evaluate_gate(const State& state, std::string_view milestone, const Gate& gate);

}  // namespace forge
