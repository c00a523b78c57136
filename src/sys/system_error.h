// errno as an Error of ours, with what to do about it. May know: base.
#pragma once

#include <string>

#include "base/error.h"

namespace forge {

// `number` is an errno value. kNotFound for a missing file, kEnvironment for what trying again
// can't change (a full or read-only disk, permissions), else kInfrastructure.
Error system_error(std::string attempt, std::string object, int number);

}  // namespace forge
