// tasks/<name>/ -> Problem. May know: base, sys/fs.h (reading only).
//
// Errors name file, line, key and remedy; unknown keys are refused with the nearest known one.
#pragma once

#include "base/error.h"
#include "problem/problem.h"
#include "sys/fs.h"

namespace forge {

enum class HiddenShapes { kLoad, kIgnore };

// Reads task.toml, shapes.json, description.md and (kLoad) hidden_shapes.json, checks that every
// file they name exists inside the folder, and instantiates each shape and group once.
Result<Problem> load_problem(FileReader& fs, const Path& folder, HiddenShapes hidden);

// Every file of the problem, relative to its folder, sorted: what is frozen into a run.
Result<std::vector<Path>> problem_files(FileReader& fs, const Path& folder);

}  // namespace forge
