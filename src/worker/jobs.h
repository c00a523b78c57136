// The kinds of jobs, each a function over an open session. May know: everything below worker.
#pragma once

#include "worker/session.h"

namespace forge {

// Compares every reference with the oracle on every shape and group, twice with other seeds, and
// sets the tolerance. `mismatch` is filled where they disagree beyond half the type's digits.
Status run_align(Session& session);

// Finds the fastest reference, times it against itself in batches, measures the copy bandwidth.
Status run_baseline(Session& session);

// Checks the candidate, then (but for kCheck) times it beside its opponents until a look decides
// (kJudge) or for a fixed number of trials, warm cache and copy bandwidth besides (kConfirm).
Status run_judge(Session& session);

// Builds many candidates at once, checks each, and times those that are right beside the incumbent,
// all in the same trials, each for its own number of trials.
Status run_sweep(Session& session);

// Compiles a CUDA candidate and plans its launches for every shape and group. Needs no oracle and
// no GPU, and times nothing, so it takes no lease and opens no session.
Result<JobResult> run_plan(const Path& bundle, const JobSpec& job, const WorkerContext& context);

}  // namespace forge
