// A TOML basic string. Pure.
#pragma once

#include <string>
#include <string_view>

namespace forge {

// With its quotes.
std::string toml_quote(std::string_view text);

}  // namespace forge
