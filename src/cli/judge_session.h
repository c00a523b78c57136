// Judges one kernel file with no run: a temporary folder, an alignment (kept in the cache), one
// job. May know: context.h, driver/job_specs.h, delivery.
#pragma once

#include <string>

#include "base/error.h"
#include "cli/context.h"
#include "cli/status_line.h"
#include "worker/result.h"

namespace forge {

// The result holds a JudgeResult; of a CUDA kernel, which can't be run yet, a PlanResult. Errors
// are about the problem or the machine, not the kernel.
Result<JobResult> judge_kernel(const Path& task, const Path& kernel, Context& context,
                               StatusLine& progress);

}  // namespace forge
