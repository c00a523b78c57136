// The [signature] and [work] tables of task.toml. Pure. May know: base.
#pragma once

#include "base/error.h"
#include "problem/problem.h"
#include "problem/toml_reader.h"

namespace forge {

Result<Signature> parse_signature(const TomlReader& reader);

// Requires the finished signature: expressions may use its dims and integer scalars.
Result<Work> parse_work(const TomlReader& reader, const Signature& signature);

}  // namespace forge
