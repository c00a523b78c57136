// Which Python can run oracles and references on PyTorch. May know: base, sys/process.h.
#pragma once

#include <string>

#include "base/error.h"
#include "sys/process.h"

namespace forge {

// FK_PYTHON, else the first of python3 (from PATH) and /usr/bin/python3 that has torch. Looks
// whether torch is there without importing it, which would take seconds.
Result<std::string> find_torch_python(ProcessRunner& processes);

}  // namespace forge
