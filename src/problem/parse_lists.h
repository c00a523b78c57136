// Arrays of strings and of paths in task.toml. May know: base, problem/toml_reader.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problem/task_paths.h"
#include "problem/toml_reader.h"

namespace forge {

// Without their lines.
std::vector<std::string> values_of(const std::vector<Located<std::string>>& located);

// An array of paths of one kind, each checked and none twice.
Result<std::vector<std::string>> parse_paths(const TomlReader& reader, std::string_view key,
                                             const TaskPaths& paths, PathKind kind);

// An array of strings, none of them empty.
Result<std::vector<std::string>> parse_non_empty(const TomlReader& reader, std::string_view key);

}  // namespace forge
