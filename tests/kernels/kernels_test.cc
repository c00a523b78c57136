// Whether the judge of each shipped problem is right: it is admitted; kernels that compute it
// another way pass, kernels that are wrong in one place fail; its start kernel is timed beside
// every reference. What a kernel is for is in its name; see README.md. One test a problem, since
// aligning is dear.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "driver/job_specs.h"
#include "problem/load.h"
#include "student/verdict.h"
#include "target/tunables.h"
#include "worker/worker_rig.h"

namespace forge {
namespace {

using ::testing::IsEmpty;

const Path kKernels = Path(FORGE_SOURCE_DIR) / "tests/kernels";
const Path kTasks = Path(FORGE_SOURCE_DIR) / "tasks";
constexpr std::size_t kLeastOfEachKind = 3;

std::vector<std::string> folders_in(const Path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// One kernel: a file, and the value of its kVariant if it declares one.
struct Kernel {
  Path file;
  std::map<std::string, std::string> tunables;

  std::string name() const {
    return file.filename().string() + (tunables.empty() ? "" : " " + tunables.begin()->second);
  }
};

std::vector<Kernel> variants_of(Fs& fs, const Path& file) {
  const auto source = fs.read(file);
  EXPECT_TRUE(source) << file;
  const auto tunables = scan_tunables(*source, file.string());
  EXPECT_TRUE(tunables) << file;
  std::vector<Kernel> kernels;
  for (const Tunable& tunable : *tunables) {
    if (tunable.name != "kVariant") continue;
    for (const std::string& value : tunable.values) {
      kernels.push_back({file, {{tunable.name, value}}});
    }
  }
  return kernels.empty() ? std::vector<Kernel>{{file, {}}} : kernels;
}

std::vector<Kernel> kernels_of(Fs& fs, const std::string& problem, const std::string& kind) {
  std::vector<Path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kKernels / problem)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kind) && name.ends_with(".cpp")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Kernel> kernels;
  for (const Path& file : files) {
    for (Kernel& kernel : variants_of(fs, file)) kernels.push_back(std::move(kernel));
  }
  return kernels;
}

class ShippedKernels : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto problem = load_problem(rig_.fs(), task(), HiddenShapes::kLoad);
    ASSERT_TRUE(problem) << problem.error().message();
    problem_ = std::move(*problem);
    JobOrder order = align_job(basis({}), 1, {101, 202});
    const auto aligned = rig_.run(order.spec, task(), order.arms);
    ASSERT_TRUE(aligned) << aligned.error().message();
    const auto& body = std::get<AlignResult>(aligned->body);
    ASSERT_EQ(body.mismatch, "");
    EXPECT_GT(body.admission.tried, 0);
    ASSERT_THAT(body.admission.refusals, IsEmpty());
    tolerance_ = body.tolerance;
  }

  static Path task() { return kTasks / GetParam(); }

  JobBasis basis(ToleranceTable tolerance) {
    const auto digest = judge_digest(rig_.fs(), task());
    EXPECT_TRUE(digest);
    return {
        problem_, state_, paths_, shared_test_cache().string(), digest->hex, std::move(tolerance)};
  }

  // On seeds that the tolerance was not calibrated on, as in every job of a run.
  CandidateOutcome check(const Kernel& kernel) {
    JobOrder order = align_job(basis(tolerance_), ++jobs_, {303, 404});
    order.spec.kind = JobKind::kCheck;
    order.spec.hidden_shapes = !problem_.hidden_shapes.empty();
    order.spec.limits.call_seconds = 10;
    BundleArm arm = candidate_arm(kernel.file);
    arm.spec.tunables = kernel.tunables;
    const auto result = rig_.run(order.spec, task(), {arm});
    if (!result) return NoVerdict{result.error().message()};
    return std::get<JudgeResult>(result->body).outcome;
  }

  // As forge judge does, with the fewest trials that can be looked at.
  Result<JobResult> judge(const Path& kernel) {
    JobOrder order = align_job(basis(tolerance_), ++jobs_, {303, 404});
    order.spec.kind = JobKind::kJudge;
    order.spec.timing.looks.looks = {2};
    order.spec.timing.looks.alpha = {0.01};
    order.arms.insert(order.arms.begin(), candidate_arm(kernel));
    return rig_.run(order.spec, task(), order.arms);
  }

  void expect_verdicts();
  void expect_start_kernel_timed();

  WorkerRig rig_;
  Problem problem_;
  State state_;
  RunPaths paths_{rig_.folder() / "run"};
  ToleranceTable tolerance_;
  int jobs_ = 1;
};

void ShippedKernels::expect_verdicts() {
  const std::vector<Kernel> honest = kernels_of(rig_.fs(), GetParam(), "honest_");
  const std::vector<Kernel> wrong = kernels_of(rig_.fs(), GetParam(), "wrong_");
  EXPECT_GE(honest.size(), kLeastOfEachKind);
  EXPECT_GE(wrong.size(), kLeastOfEachKind);
  for (const Kernel& kernel : honest) {
    const CandidateOutcome outcome = check(kernel);
    EXPECT_EQ(verdict_name(outcome), "passed") << kernel.name() << "\n" << explain(outcome);
  }
  for (const Kernel& kernel : wrong) {
    const CandidateOutcome outcome = check(kernel);
    EXPECT_EQ(verdict_name(outcome), "wrong") << kernel.name() << "\n" << explain(outcome);
  }
}

void ShippedKernels::expect_start_kernel_timed() {
  ASSERT_TRUE(problem_.start_path.has_value());
  EXPECT_GE(problem_.shapes.size(), 2u);
  EXPECT_FALSE(problem_.hidden_shapes.empty());
  const auto result = judge(task() / *problem_.start_path / "kernel.cpp");
  ASSERT_TRUE(result) << result.error().message();
  const auto& judged = std::get<JudgeResult>(result->body);
  ASSERT_TRUE(std::holds_alternative<Passed>(judged.outcome)) << explain(judged.outcome);
  EXPECT_EQ(judged.contrasts.size(), problem_.reference.implementations.size());
  ASSERT_NE(hardest_reference(judged), nullptr);
  for (const auto& reference : problem_.reference.implementations) {
    const std::string file = Path(reference.run).filename().string();
    EXPECT_TRUE(
        std::any_of(result->arms.begin(), result->arms.end(),
                    [&](const ArmFacts& arm) { return arm.description.starts_with(file + ": "); }))
        << file << " is not named";
  }
}

TEST_P(ShippedKernels, HonestOnesPassWrongOnesFailAndTheStartIsTimedBesideEveryReference) {
  expect_verdicts();
  expect_start_kernel_timed();
}

INSTANTIATE_TEST_SUITE_P(Of, ShippedKernels, ::testing::ValuesIn(folders_in(kKernels)),
                         [](const auto& tested) { return tested.param; });

// Those of GPU problems are judged by device tests.
TEST(ShippedKernelsFolder, HoldsEveryProblemForCpusAndNoOther) {
  const auto fs = make_real_fs();
  std::vector<std::string> for_cpus;
  for (const std::string& name : folders_in(kTasks)) {
    const auto problem = load_problem(*fs, kTasks / name, HiddenShapes::kIgnore);
    ASSERT_TRUE(problem) << problem.error().message();
    if (problem->target == Target::kCpu) for_cpus.push_back(name);
  }
  EXPECT_EQ(folders_in(kKernels), for_cpus);
}

}  // namespace
}  // namespace forge
