// Puts together what a job needs: a folder with job.json, the frozen problem and the arms' sources.
// May know: base, sys, worker/job.h. Format: docs/formats/job.md.
#pragma once

#include <vector>

#include "base/error.h"
#include "sys/fs.h"
#include "worker/job.h"

namespace forge {

struct BundleArm {
  ArmSpec spec;  // its `source` is set by write_bundle when `file` is given
  Path file;     // copied to arms/<label>/<file name>; empty: spec.source lies in problem/
};

// Fills `job.arms`, copies `problem_folder` to <bundle>/problem/ and writes job.json last, so that
// a folder with job.json is whole. Replaces what an interrupted attempt left.
Status write_bundle(Fs& fs, const Path& bundle, const Path& problem_folder, JobSpec job,
                    std::vector<BundleArm> arms);

}  // namespace forge
