// One worker for all tests of a suite: saxpy's oracle cases and tolerance are made once.
#pragma once

#include <gtest/gtest.h>

#include "worker/worker_rig.h"

namespace forge {

class AlignedSaxpy : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    rig_ = new WorkerRig();
    const auto job = rig_->job(JobKind::kAlign, "align", saxpy_task());
    ASSERT_TRUE(job) << job.error().message();
    const auto aligned = rig_->run(*job, saxpy_task(), {saxpy_reference()});
    ASSERT_TRUE(aligned) << aligned.error().message();
    tolerance_ = new ToleranceTable(std::get<AlignResult>(aligned->body).tolerance);
  }
  static void TearDownTestSuite() {
    delete tolerance_;
    delete rig_;
  }

  static inline WorkerRig* rig_ = nullptr;
  static inline ToleranceTable* tolerance_ = nullptr;
};

}  // namespace forge
