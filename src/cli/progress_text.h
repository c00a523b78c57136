// What forge run tells of a run: a line for each stage and each judged round, and the live line.
// Pure. May know: driver/context.h, run.
#pragma once

#include <optional>
#include <string>

#include "driver/context.h"

namespace forge {

// `state` is what `event` led to. Nothing for events that follow from others.
std::optional<std::string> event_line(const Event& event, const State& state);

// Where a run stands that goes on; nothing if it only begins.
std::optional<std::string> resumed_line(const State& state);

// The live display: what is going on, with a clock before it, and where the run stands.
std::string live_clock(const ProgressSnapshot& now);
std::string live_text(const ProgressSnapshot& now);
std::string live_detail(const ProgressSnapshot& now);

}  // namespace forge
