// A CUDA problem under the real worker, for tests with a GPU or with a driver that pretends to be
// one.
#pragma once

#include <gtest/gtest.h>

#include "driver/job_specs.h"
#include "judge/outcome.h"
#include "problem/load.h"
#include "worker/worker_rig.h"

namespace forge {

inline Path device_kernel(const std::string& name) {
  return Path(FORGE_SOURCE_DIR) / "tests/device/kernels" / (name + ".cu");
}

inline JudgeResult no_result() {
  JudgeResult result;
  result.outcome = NoVerdict{};
  return result;
}

// One problem, aligned once a suite.
class DeviceSuite {
 public:
  explicit DeviceSuite(const Path& task) : task_(task) {
    auto problem = load_problem(rig_.fs(), task_, HiddenShapes::kLoad);
    if (!problem) invariant_failed(__FILE__, __LINE__, problem.error().message());
    problem_ = std::move(*problem);
  }

  Status align() {
    const JobOrder order = align_job(basis(), 1, {101, 202});
    FORGE_TRY(const JobResult aligned, rig_.run(order.spec, task_, order.arms));
    const auto& body = std::get<AlignResult>(aligned.body);
    if (!body.mismatch.empty()) invariant_failed(__FILE__, __LINE__, body.mismatch);
    tolerance_ = body.tolerance;
    return {};
  }

  // Of a kernel in tests/device/kernels/; fails the test if the job fails.
  JudgeResult judged(const std::string& kernel) {
    const auto result = judge(device_kernel(kernel));
    EXPECT_TRUE(result) << result.error().message();
    return result ? std::get<JudgeResult>(result->body) : no_result();
  }

  Result<JobResult> judge(const Path& kernel) {
    JobOrder order = align_job(basis(), ++jobs_, {303, 404});
    order.spec.kind = JobKind::kJudge;
    order.spec.limits.call_seconds = 3;
    order.spec.timing.looks.looks = {2};
    order.spec.timing.looks.alpha = {0.01};
    order.arms.insert(order.arms.begin(), candidate_arm(kernel));
    return rig_.run(order.spec, task_, order.arms);
  }

 private:
  JobBasis basis() {
    const auto digest = judge_digest(rig_.fs(), task_);
    if (!digest) invariant_failed(__FILE__, __LINE__, digest.error().message());
    return {problem_, state_, paths_, shared_test_cache().string(), digest->hex, tolerance_};
  }

  WorkerRig rig_;
  Path task_;
  Problem problem_;
  State state_;
  RunPaths paths_{rig_.folder() / "run"};
  ToleranceTable tolerance_;
  int jobs_ = 1;
};

}  // namespace forge
