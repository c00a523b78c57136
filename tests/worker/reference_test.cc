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

  static const StressFinding* finding(const MonitorFindings& monitor, std::string_view arm,
                                      Stress stress) {
    for (const StressFinding& each : monitor.stresses) {
      if (each.arm == arm && each.stress == stress) return &each;
    }
    return nullptr;
  }

  // A right kernel and its reference, on three shapes of three groups, without integers.
  static void expect_all_seen(const MonitorFindings& monitor) {
    for (const Stress stress : kStresses) {
      for (const std::string_view arm : {"candidate", "reference"}) {
        SCOPED_TRACE(std::string(arm) + " " + std::string(stress_name(stress)));
        const StressFinding* found = finding(monitor, arm, stress);
        if (stress == Stress::kIntegerBoundaries || stress == Stress::kIdenticalRows) {
          EXPECT_EQ(found, nullptr) << "there are no integers, and no rows to repeat";
          continue;
        }
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->cases, stress == Stress::kNone ? 9 : 3);
        EXPECT_EQ(found->agreeing, found->cases) << words_of(*found);
      }
    }
    ASSERT_EQ(monitor.repeats.size(), 2u);
    EXPECT_EQ(words_of(monitor.repeats[0]), "9 of 9 the same bit by bit");
    EXPECT_TRUE(monitor.notes.empty()) << monitor.notes.front();
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
  expect_all_seen(judged.monitor);
}

// A kernel that is right on all that is drawn, but neither on spikes nor on NaN; that ends its
// process on infinities, and whose last bits come and go.
TEST_F(ReferenceTest, TheMonitorSeesWhatTheJudgesInputsDoNotAndLeavesTheVerdict) {
  const auto aligned = align("monitor-align", saxpy_task(), saxpy_reference());
  ASSERT_TRUE(aligned) << aligned.error().message();
  auto job = rig_->job(JobKind::kConfirm, "monitor", saxpy_task());
  ASSERT_TRUE(job);
  job->tolerance = aligned->tolerance;
  job->timing.confirm_trials = 2;
  const Path file = rig_->folder() / "fragile.cpp";
  ASSERT_TRUE(rig_->fs().write_atomic(file, R"(#include "forge_args.h"
#include <cmath>
#include <cstdint>
#include <cstdlib>
extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t n = args->dims.n;
  double mean = 0;
  for (std::int64_t i = 0; i < n; ++i) mean += std::abs(args->x[i]) / static_cast<double>(n);
  if (std::isinf(mean)) std::abort();
  for (std::int64_t i = 0; i < n; ++i) {
    const float x = args->x[i];
    args->y[i] = std::isnan(x) || std::abs(x) > 100 * mean ? 0 : args->a * x + args->z[i];
  }
  // The last bit of one element depends on where the buffers lie.
  const auto place = reinterpret_cast<std::uintptr_t>(args->y) >> 6;
  for (std::int64_t i = 0; i < n; ++i) {
    if (place >> (i % 24) & 1) args->y[i] = std::nextafter(args->y[i], 1e30f);
  }
  return 0;
}
)"));
  const auto result = rig_->run(*job, saxpy_task(), {candidate_arm(file), saxpy_reference()});
  ASSERT_TRUE(result) << result.error().message();
  const auto& judged = std::get<JudgeResult>(result->body);
  EXPECT_EQ(verdict_name(judged.outcome), "passed") << explain(judged.outcome);
  EXPECT_FALSE(judged.contrasts.empty());
  const auto words = [&](std::string_view arm, Stress stress) {
    const StressFinding* found = finding(judged.monitor, arm, stress);
    return found == nullptr ? "none" : words_of(*found);
  };
  EXPECT_EQ(words("candidate", Stress::kNone), "6 of 6 right");
  EXPECT_EQ(words("candidate", Stress::kScaledDown), "2 of 2 right");
  EXPECT_THAT(words("candidate", Stress::kSpikes), HasSubstr("0 of 2 right (wrong in 2 cases"));
  EXPECT_THAT(words("candidate", Stress::kInfinities), HasSubstr("0 of 2 right (crashed"));
  EXPECT_EQ(words("reference", Stress::kSpikes), "2 of 2 right");
  ASSERT_EQ(judged.monitor.repeats.size(), 2u);
  EXPECT_LT(judged.monitor.repeats[0].identical, judged.monitor.repeats[0].cases);
  EXPECT_EQ(judged.monitor.repeats[1].identical, judged.monitor.repeats[1].cases);
}

}  // namespace
}  // namespace forge
