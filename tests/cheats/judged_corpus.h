// Judges kernels of the corpus as a round of a run does, with as few trials as can be looked at.
// Problems are aligned once a program.
#pragma once

#include <map>

#include "cheats/corpus.h"
#include "worker/worker_rig.h"

namespace forge {

class CorpusJudge {
 public:
  Result<JobResult> judge(const CheatCase& kernel, Defences defences = {}) {
    const std::string problem = kernel.get("problem", "saxpy");
    const Path task = Path(FORGE_SOURCE_DIR) / "tests/tasks" / problem;
    FORGE_TRY(const ToleranceTable* tolerance, tolerance_of(problem, task));
    FORGE_TRY(JobSpec job, spec(JobKind::kJudge, kernel.name() + std::to_string(++jobs_), task));
    job.tolerance = *tolerance;
    job.limits.call_seconds = std::stod(kernel.get("call_seconds", "20"));
    job.limits.compile_seconds = std::stod(kernel.get("compile_seconds", "60"));
    const Path file = rig_.folder() / (kernel.name() + ".cpp");
    FORGE_TRY_STATUS(rig_.fs().write_atomic(file, kernel.source()));
    return rig_.run(job, task, {candidate_arm(file), reference(problem)}, defences);
  }

  WorkerRig& rig() { return rig_; }

 private:
  Result<JobSpec> spec(JobKind kind, const std::string& id, const Path& task) {
    FORGE_TRY(JobSpec job, rig_.job(kind, id, task));
    job.cache = shared_test_cache().string();
    return job;
  }

  static BundleArm reference(const std::string& problem) {
    ArmSpec spec;
    spec.label = "reference";
    spec.source = "problem/reference/" + problem + ".cpp";
    return {spec, {}};
  }

  Result<const ToleranceTable*> tolerance_of(const std::string& problem, const Path& task) {
    const auto known = tolerances_.find(problem);
    if (known != tolerances_.end()) return &known->second;
    FORGE_TRY(const JobSpec job, spec(JobKind::kAlign, "align-" + problem, task));
    FORGE_TRY(const JobResult aligned, rig_.run(job, task, {reference(problem)}));
    const auto& body = std::get<AlignResult>(aligned.body);
    EXPECT_EQ(body.mismatch, "") << problem;
    return &tolerances_.insert_or_assign(problem, body.tolerance).first->second;
  }

  WorkerRig rig_;
  std::map<std::string, ToleranceTable> tolerances_;
  int jobs_ = 0;
};

// Made once and never destroyed: it serves every test of a program.
inline CorpusJudge& corpus_judge() {
  static CorpusJudge& shared = *new CorpusJudge();
  return shared;
}

}  // namespace forge
