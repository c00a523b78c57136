// The part of every brief that a search needs: the kernel's tunables and what was tried. Pure.
// May know: run, target/tunables.h. Format: docs/formats/turn.md.
#pragma once

#include <string_view>
#include <vector>

#include "base/json.h"
#include "run/state.h"
#include "target/tunables.h"

namespace forge {

// Of the kernel in the operator tree; none if its declarations are malformed, which is for the
// compiler to say.
std::vector<Tunable> tunables_of(std::string_view kernel);

Settings settings_of(const std::vector<Tunable>& tunables);

Json search_space(const State& state, const std::vector<Tunable>& tunables);

// What a scout without a model can say: the opponent's times and the kernel's declared decisions.
std::string scout_findings(const BaselineMeasured& baseline, const std::vector<Tunable>& tunables);

}  // namespace forge
