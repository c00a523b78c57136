// TOML text as a Json value, so that only toml_json.cc pays for toml++'s header. Pure.
#pragma once

#include <string_view>

#include "base/error.h"
#include "base/json.h"

namespace forge {

// Dates and times are refused. Errors name `object` and the line.
Result<Json> toml_to_json(std::string_view text, std::string_view object);

}  // namespace forge
