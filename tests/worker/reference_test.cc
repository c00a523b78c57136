// What is said when the reference, the oracle or the tools are at fault: one line that names them,
// never a verdict on a kernel.
#include <gmock/gmock.h>

#include "worker/worker_rig.h"

namespace forge {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHonest =
    "    outputs['y'].copy_(scalars['a'] * inputs['x'] + inputs['z'])\n";

class ReferenceTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { rig_ = new WorkerRig(); }
  static void TearDownTestSuite() { delete rig_; }

  // A copy of the problem whose reference is this body of run().
  static Path python_task(const std::string& id, const std::string& body) {
    const Path task = rig_->folder() / "tasks" / id;
    EXPECT_TRUE(rig_->fs().copy_tree(saxpy_task(), task));
    const std::string source =
        "import os\nimport torch\n\ndef run(inputs, outputs, scalars, dims):\n" + body;
    EXPECT_TRUE(rig_->fs().write_atomic(task / "reference" / "saxpy.py", source));
    return task;
  }

  static Result<AlignResult> align(const std::string& id, const Path& task, BundleArm arm,
                                   double call_seconds = 5) {
    FORGE_TRY(JobSpec job, rig_->job(JobKind::kAlign, id, task));
    job.limits.call_seconds = call_seconds;
    FORGE_TRY(JobResult result, rig_->run(job, task, {std::move(arm)}));
    return std::get<AlignResult>(result.body);
  }

  static Result<AlignResult> align_python(const std::string& id, const std::string& body,
                                          double call_seconds = 5) {
    ArmSpec spec;
    spec.label = "reference";
    spec.language = ArmLanguage::kPython;
    spec.source = "problem/reference/saxpy.py";
    return align(id, python_task(id, body), {spec, {}}, call_seconds);
  }

  static void expect_error(const std::string& id, const std::string& body, const std::string& words,
                           double call_seconds = 5) {
    const auto aligned = align_python(id, body, call_seconds);
    ASSERT_FALSE(aligned) << id << " was taken";
    EXPECT_THAT(aligned.error().message(), HasSubstr(words));
    EXPECT_THAT(aligned.error().message(), HasSubstr("reference"));
    EXPECT_EQ(aligned.error().message().find('\n'), std::string::npos);
  }

  static WorkerRig* rig_;
};

WorkerRig* ReferenceTest::rig_ = nullptr;

TEST_F(ReferenceTest, AnHonestPythonReferenceSetsTheTolerance) {
  const auto aligned = align_python("honest", kHonest);
  ASSERT_TRUE(aligned) << aligned.error().message();
  EXPECT_EQ(aligned->mismatch, "");
  EXPECT_EQ(aligned->tolerance.allowed.size(), 9u)
      << "three shapes, one of them hidden, of three groups";
  for (const auto& [kind, allowed] : aligned->tolerance.allowed) {
    EXPECT_GE(allowed, 2e-6) << kind.shape << kind.group;
    EXPECT_LT(allowed, 1e-5) << kind.shape << kind.group;
  }
}

TEST_F(ReferenceTest, OneThatRaisesIsQuoted) {
  expect_error("raises", "    raise ValueError('no such mode')\n", "no such mode");
}

TEST_F(ReferenceTest, OneThatDiesIsACrash) {
  expect_error("dies", "    os.abort()\n", "crash");
  expect_error("exits", "    os._exit(0)\n", "exit code 0");
}

TEST_F(ReferenceTest, OneThatHangsIsATimeout) {
  expect_error("hangs", "    while True: pass\n", "timeout", 0.5);
}

TEST_F(ReferenceTest, OneThatWritesAnotherShapeIsQuoted) {
  expect_error("shape", "    outputs['y'].copy_(torch.zeros(3))\n", "size");
}

TEST_F(ReferenceTest, OneThatReturnsNanDisagreesWithTheOracle) {
  const auto aligned = align_python("nan", "    outputs['y'].fill_(float('nan'))\n");
  ASSERT_TRUE(aligned) << aligned.error().message();
  EXPECT_THAT(aligned->mismatch, HasSubstr("nan"));
}

TEST_F(ReferenceTest, AnotherFunctionDisagreesWithTheOracleInNumbers) {
  const auto aligned =
      align_python("minus", "    outputs['y'].copy_(scalars['a'] * inputs['x'] - inputs['z'])\n");
  ASSERT_TRUE(aligned) << aligned.error().message();
  EXPECT_THAT(aligned->mismatch, HasSubstr("the oracle says"));
  EXPECT_THAT(aligned->mismatch, HasSubstr("shape 'odd', group 'typical'"));
}

TEST_F(ReferenceTest, AMissingCompilerIsNamedWithItsRemedy) {
  setenv("FK_CXX", "/nowhere/g++", 1);
  const auto aligned = align("no-compiler", saxpy_task(), saxpy_reference());
  unsetenv("FK_CXX");
  ASSERT_FALSE(aligned);
  EXPECT_THAT(aligned.error().message(), HasSubstr("/nowhere/g++"));
  EXPECT_EQ(aligned.error().kind == ErrorKind::kCorrupt, false);
}

TEST_F(ReferenceTest, AnInterpreterWithoutTorchIsNamed) {
  setenv("FK_PYTHON", "/bin/false", 1);
  const auto aligned = align_python("no-torch", kHonest);
  unsetenv("FK_PYTHON");
  ASSERT_FALSE(aligned);
  EXPECT_THAT(aligned.error().message(), HasSubstr("/bin/false"));
}

TEST_F(ReferenceTest, AJudgeThatChangedIsRefused) {
  auto job = rig_->job(JobKind::kAlign, "changed", saxpy_task());
  ASSERT_TRUE(job);
  job->check_digest = std::string(64, 'a');
  const auto result = rig_->run(*job, saxpy_task(), {saxpy_reference()});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("not the one that was frozen"));
}

TEST_F(ReferenceTest, ABaselineTellsNoiseAndCopyBandwidth) {
  const auto aligned = align("baseline-align", saxpy_task(), saxpy_reference());
  ASSERT_TRUE(aligned) << aligned.error().message();
  auto job = rig_->job(JobKind::kBaseline, "baseline", saxpy_task());
  ASSERT_TRUE(job);
  job->tolerance = aligned->tolerance;
  job->timing.trials_per_batch = 2;
  const auto result = rig_->run(*job, saxpy_task(), {saxpy_reference()});
  ASSERT_TRUE(result) << result.error().message();
  const auto& baseline = std::get<BaselineResult>(result->body);
  EXPECT_EQ(baseline.fastest, "reference");
  EXPECT_EQ(baseline.batch_ratios.size(), 5u);
  EXPECT_GE(baseline.noise_floor, 0.015);
  ASSERT_EQ(result->ceilings.size(), 2u);
  EXPECT_GT(result->ceilings[1].gigabytes_per_second(), 0.1);
  ASSERT_EQ(result->times.size(), 2u);
}

TEST_F(ReferenceTest, AConfirmationRunsHiddenShapesWarmCachesAndNoLooks) {
  const auto aligned = align("confirm-align", saxpy_task(), saxpy_reference());
  ASSERT_TRUE(aligned) << aligned.error().message();
  auto job = rig_->job(JobKind::kConfirm, "confirm", saxpy_task());
  ASSERT_TRUE(job);
  job->tolerance = aligned->tolerance;
  job->timing.confirm_trials = 4;
  job->hidden_shapes = true;
  const auto result =
      rig_->run(*job, saxpy_task(),
                {candidate_arm(saxpy_task() / "start" / "kernel.cpp"), saxpy_reference()});
  ASSERT_TRUE(result) << result.error().message();
  const auto& judged = std::get<JudgeResult>(result->body);
  EXPECT_EQ(verdict_name(judged.outcome), "passed") << explain(judged.outcome);
  ASSERT_EQ(judged.contrasts.size(), 2u);
  EXPECT_EQ(judged.contrasts[0].cache, "cold");
  EXPECT_EQ(judged.contrasts[0].trials, 4);
  EXPECT_EQ(judged.contrasts[0].log_ratios.size(), 4u);
  EXPECT_EQ(judged.contrasts[1].cache, "warm");
  EXPECT_EQ(result->ceilings.size(), 2u);
  ASSERT_EQ(judged.contrasts[0].shapes.size(), 3u);
  EXPECT_EQ(judged.contrasts[0].shapes[2].shape, "prime") << "hidden shapes come last";
}

}  // namespace
}  // namespace forge
