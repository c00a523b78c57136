// Does one job: bundle folder in, result out. May know: everything below worker.
#pragma once

#include <vector>

#include "base/error.h"
#include "sys/clock.h"
#include "sys/fs.h"
#include "sys/process.h"
#include "worker/defences.h"
#include "worker/job.h"
#include "worker/result.h"

namespace forge {

// One core for the measurer, which spins on it and holds the clock; the others for the arms.
struct WorkerCpus {
  std::vector<int> measurer;
  std::vector<int> arms;
};
// FK_CPUS ("0,2-5": the first is the measurer's), else all that we may run on. An error if there
// are fewer than two.
Result<WorkerCpus> choose_worker_cpus();

struct WorkerContext {
  Fs* fs = nullptr;
  ProcessRunner* processes = nullptr;
  Clock* clock = nullptr;
  WorkerCpus cpus;
  Defences defences = {};
};

// An error is infrastructure (no compiler, no disk, a broken oracle, a reference that fails): the
// caller may retry it. What became of the candidate is in the result.
Result<JobResult> run_job(const Path& bundle, const WorkerContext& context);

}  // namespace forge
