// What the builtin agent writes as teacher. Pure. May know: base.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "agent/search.h"

namespace forge {

// File name -> TOML; nullopt when no value is left that is worth trying: the best is an optimum of
// the search.
using MilestoneFiles = std::map<std::string, std::string>;
Result<std::optional<MilestoneFiles>> builtin_milestones(const Json& brief);

}  // namespace forge
