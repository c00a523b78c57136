// Does one job: bundle folder in, result folder out. May know: everything below worker.
#pragma once

#include "base/error.h"
#include "sys/clock.h"
#include "sys/fs.h"
#include "sys/process.h"
#include "worker/job.h"
#include "worker/result.h"

namespace forge {

// An error is infrastructure (no compiler, no disk, broken oracle, reference that fails): the
// caller may retry it. What the candidate did is in the result.
Result<JobResult> run_job(const Path& bundle, Fs& fs, ProcessRunner& processes, Clock& clock);

}  // namespace forge
