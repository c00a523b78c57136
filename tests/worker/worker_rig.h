// The real worker on a problem under tests/tasks/, for tests that need real compilers, runners and
// oracles. One rig serves a whole suite, so that cases and artefacts are made once.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "delivery/bundle.h"
#include "judge/freeze.h"
#include "temporary_directory.h"
#include "worker/run_job.h"

namespace forge {

class WorkerRig {
 public:
  WorkerRig()
      : fs_(make_real_fs()), processes_(make_real_process_runner()), clock_(make_real_clock()) {
    // A lease of its own: tests of different build trees need not wait for each other.
    setenv("FK_LEASE_DIR", (folder() / "lease").c_str(), 1);
  }

  Path folder() const { return directory_.path(); }
  Fs& fs() { return *fs_; }

  // A job with small limits and few trials: verdicts matter here, intervals do not.
  Result<JobSpec> job(JobKind kind, const std::string& id, const Path& task) {
    JobSpec job;
    job.id = id;
    job.kind = kind;
    FORGE_TRY(const Digest digest, judge_digest(*fs_, task));
    job.check_digest = digest.hex;
    job.cache = (folder() / "cache").string();
    job.seeds = {101, 202};
    job.limits.call_seconds = 5;
    job.limits.memory_bytes = 256 << 20;
    job.timing.looks.looks = {2, 3};
    job.timing.looks.alpha = {0.005, 0.005};
    return job;
  }

  Result<JobResult> run(const JobSpec& job, const Path& task, std::vector<BundleArm> arms,
                        Defences defences = {}) {
    const Path bundle = folder() / "bundles" / job.id;
    FORGE_TRY_STATUS(write_bundle(*fs_, bundle, task, job, std::move(arms)));
    FORGE_TRY(const WorkerCpus cpus, choose_worker_cpus());
    return run_job(bundle,
                   WorkerContext{fs_.get(), processes_.get(), clock_.get(), cpus, defences});
  }

 private:
  TemporaryDirectory directory_;
  std::unique_ptr<Fs> fs_;
  std::unique_ptr<ProcessRunner> processes_;
  std::unique_ptr<Clock> clock_;
};

// Of this build tree and all its tests: compiled oracles, references and kernels, and their cases.
inline Path shared_test_cache() { return Path(FORGE_BINARY_DIR) / "tests/cache/forgekernel"; }

inline Path saxpy_task() { return Path(FORGE_SOURCE_DIR) / "tests/tasks/saxpy"; }

inline BundleArm saxpy_reference() {
  ArmSpec reference;
  reference.label = "reference";
  reference.source = "problem/reference/saxpy.cpp";
  return {reference, {}};
}

inline BundleArm candidate_arm(const Path& file) {
  ArmSpec candidate;
  candidate.label = "candidate";
  candidate.role = ArmRole::kCandidate;
  return {candidate, file};
}

}  // namespace forge
