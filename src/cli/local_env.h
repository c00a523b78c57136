// local.env in the folder that forge was started in: settings of one machine and one person. May
// know: base, sys/fs.h. Form: local.env.example.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sys/fs.h"

namespace forge {

// NAME=value lines; a value may stand in quotes. Lines of another form are passed over, and so are
// empty values, which count as not set.
std::map<std::string, std::string> parse_local_env(std::string_view text);

using Lookup = std::function<std::optional<std::string>(const std::string& name)>;
// The environment, and for what it does not have, local.env.
Lookup with_local_env(FileReader& fs, Lookup environment);

}  // namespace forge
