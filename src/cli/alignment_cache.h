// Alignments between oracle and references, kept by everything that decides them, so that judging a
// second kernel of a problem is faster. May know: sys, problem, worker/result.h.
#pragma once

#include <optional>

#include "base/digest.h"
#include "cli/context.h"
#include "problem/problem.h"
#include "worker/result.h"

namespace forge {

// Of the problem's files, of our own support files, and of this machine: processor, compiler,
// Python and PyTorch.
Result<Digest> alignment_key(const Problem& problem, const Path& folder, Context& context);

// An entry that can't be read counts as none.
std::optional<ToleranceTable> cached_tolerance(FileReader& fs, const Path& cache,
                                               const Digest& key);
Status cache_alignment(Fs& fs, const Path& cache, const Digest& key, const JobResult& aligned);

}  // namespace forge
