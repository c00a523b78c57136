// A TOML tree as text. Pure. May know: toml_tree.h.
#pragma once

#include <string>

#include "problem/toml_tree.h"

namespace forge {

// Parsing the text gives the same tree but for line numbers; comments are not part of a tree.
// Requires a tree without dates.
std::string write_toml(const TomlTable& table);

}  // namespace forge
