#include "cli/judge_session.h"

#include "cli/workbench.h"
#include "problem/load.h"
#include "student/verdict.h"

namespace forge {
namespace {

BundleArm candidate_arm(const Path& kernel) {
  BundleArm candidate;
  candidate.spec.label = kCandidateArm;
  candidate.spec.role = ArmRole::kCandidate;
  candidate.file = kernel;
  return candidate;
}

// Linux's and WSL's device of NVIDIA's driver. FK_GPU=none leaves a device alone.
bool gpu_is_here(Context& context) {
  if (context.environment("FK_GPU") == "none") return false;
  return context.fs.exists("/dev/nvidiactl") || context.fs.exists("/dev/dxg");
}

// All that can be known of a CUDA kernel without a device.
Result<JobResult> plan_kernel(const Path& task, const Path& kernel, Context& context,
                              StatusLine& progress) {
  FORGE_TRY(const auto bench,
            Workbench::open(task, "forge judge", context, progress, Workbench::Purpose::kPlan));
  JobOrder order = align_job(bench->basis(), bench->next_job(), bench->fresh_seeds());
  order.spec.kind = JobKind::kPlan;
  order.arms = {candidate_arm(kernel)};
  return bench->run_for<PlanResult>(order, "compiling the kernel and planning its launches");
}

}  // namespace

Result<JobResult> judge_kernel(const Path& task, const Path& kernel, Context& context,
                               StatusLine& progress) {
  FORGE_TRY_STATUS(require_kernel_file(context.fs, kernel));
  FORGE_TRY(const Problem problem, load_problem(context.fs, task, HiddenShapes::kLoad));
  if (problem.target == Target::kCuda && !gpu_is_here(context)) {
    return plan_kernel(task, kernel, context, progress);
  }
  FORGE_TRY(const auto bench, Workbench::open(task, "forge judge", context, progress));
  FORGE_TRY_STATUS(bench->align());
  JobOrder order = align_job(bench->basis(), bench->next_job(), bench->fresh_seeds());
  order.spec.kind = JobKind::kJudge;
  order.arms.insert(order.arms.begin(), candidate_arm(kernel));
  return bench->run_for<JudgeResult>(order, "checking and timing the kernel");
}

}  // namespace forge
