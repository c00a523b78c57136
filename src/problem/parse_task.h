// task.toml -> Problem, without shapes and description. May know: base, task_paths.h.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "problem/problem.h"
#include "problem/task_paths.h"

namespace forge {

// `file` names the document in messages.
Result<Problem> parse_task(std::string_view text, const std::string& file, const TaskPaths& paths);

}  // namespace forge
