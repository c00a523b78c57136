// What makes up the judge of a problem, as one digest: driver and worker refuse a judge that
// changed since it was frozen. May know: base, sys/fs.h (reading only).
#pragma once

#include "base/digest.h"
#include "base/error.h"
#include "sys/fs.h"

namespace forge {

// Over the names and contents of check/** (if there is one), description.md, shapes.json,
// hidden_shapes.json (if there is one) and task.toml. Interpreter caches (__pycache__) don't count.
Result<Digest> judge_digest(FileReader& fs, const Path& problem_folder);

}  // namespace forge
