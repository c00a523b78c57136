// Everything in task.toml but [signature] and [work]. May know: base, task_paths.h.
#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "problem/problem.h"
#include "problem/task_paths.h"
#include "problem/toml_reader.h"

namespace forge {

Result<BuildSettings> parse_build(const TomlReader& reader, const TaskPaths& paths, Target target);

Result<std::vector<ToleranceOverride>> parse_tolerance(const TomlReader& reader,
                                                       const Signature& signature);

Result<ReferenceSettings> parse_reference(const TomlReader& reader, const TaskPaths& paths,
                                          Target target);

Result<LeaderboardSettings> parse_leaderboard(const TomlReader& reader);

Result<JudgeSettings> parse_judge(const TomlReader& reader, const TaskPaths& paths);

// The folder of the code that the student begins from; it must hold kernel.cpp or kernel.cu.
Result<std::string> parse_start(const TomlReader& reader, const TaskPaths& paths, Target target);

Result<Lineage> parse_lineage(const TomlReader& reader);

Result<double> parse_goal(const TomlReader& reader);

Result<Budget> parse_budget(const TomlReader& reader);

}  // namespace forge
