// Texts with holes, in mustache's language. Pure. May know: json.h.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"

namespace forge {

// Fills the holes of `text` from `data`; nothing is escaped. An empty string, an empty array, null
// and false leave a section out. A name that `data` does not have is an error; `name` names the
// text in it.
Result<std::string> render_template(std::string_view text, const Json& data, std::string_view name);

// The same for a text of the program's own, from `begin` to `end`: that it can't be filled in is a
// fault of ours, and ends the program.
std::string render_own_template(const char* begin, const char* end, const Json& data,
                                std::string_view name);

}  // namespace forge
