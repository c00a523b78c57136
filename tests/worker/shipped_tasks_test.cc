// Every problem in tasks/ as a user meets it: its plan can be shown, and its start kernel passes
// and is timed beside every reference that it names.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "driver/job_specs.h"
#include "problem/load.h"
#include "program_rig.h"
#include "student/verdict.h"
#include "worker/worker_rig.h"

namespace forge {
namespace {

using ::testing::HasSubstr;

const Path kTasks = Path(FORGE_SOURCE_DIR) / "tasks";

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kTasks)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class ShippedTask : public ::testing::TestWithParam<std::string> {
 protected:
  static Path task() { return kTasks / GetParam(); }

  void SetUp() override {
    auto problem = load_problem(rig_.fs(), task(), HiddenShapes::kLoad);
    ASSERT_TRUE(problem) << problem.error().message();
    problem_ = std::move(*problem);
  }

  JobBasis basis(ToleranceTable tolerance) {
    const auto digest = judge_digest(rig_.fs(), task());
    EXPECT_TRUE(digest);
    return {
        problem_, state_, paths_, shared_test_cache().string(), digest->hex, std::move(tolerance)};
  }

  ToleranceTable align() {
    const JobOrder order = align_job(basis({}), 1, {101, 202});
    const auto aligned = rig_.run(order.spec, task(), order.arms);
    EXPECT_TRUE(aligned) << aligned.error().message();
    if (!aligned) return {};
    const auto& body = std::get<AlignResult>(aligned->body);
    EXPECT_EQ(body.mismatch, "");
    return body.tolerance;
  }

  // As forge judge does, with the fewest trials that can be looked at.
  Result<JobResult> judge_start_kernel(ToleranceTable tolerance) {
    JobOrder order = align_job(basis(std::move(tolerance)), 2, {303, 404});
    order.spec.kind = JobKind::kJudge;
    order.spec.timing.looks.looks = {2};
    order.spec.timing.looks.alpha = {0.01};
    order.arms.insert(order.arms.begin(),
                      candidate_arm(task() / *problem_.start_path / "kernel.cpp"));
    return rig_.run(order.spec, task(), order.arms);
  }

  WorkerRig rig_;
  Problem problem_;
  State state_;
  RunPaths paths_{rig_.folder() / "run"};
};

TEST_P(ShippedTask, ShowsItsPlan) {
  ProgramRig program(CacheKind::kShared);
  const ProcessResult shown = program.forge({"new", task().string(), "--dry-run"});
  EXPECT_EQ(exit_code(shown), 0) << shown.standard_error;
  for (const auto& reference : problem_.reference.implementations) {
    EXPECT_THAT(shown.standard_output, HasSubstr(reference.run));
  }
  EXPECT_THAT(shown.standard_output, HasSubstr("structure  k"));
  EXPECT_THAT(shown.standard_output, HasSubstr("tuning     k"));
}

TEST_P(ShippedTask, ItsStartKernelPassesAndIsTimedBesideEveryReference) {
  ASSERT_TRUE(problem_.start_path.has_value());
  EXPECT_GE(problem_.shapes.size(), 2u);
  EXPECT_FALSE(problem_.hidden_shapes.empty());
  const auto result = judge_start_kernel(align());
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

INSTANTIATE_TEST_SUITE_P(Of, ShippedTask, ::testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace forge
