#include "cli/judge_session.h"

#include "cli/workbench.h"
#include "student/verdict.h"

namespace forge {

Result<JobResult> judge_kernel(const Path& task, const Path& kernel, Context& context,
                               StatusLine& progress) {
  FORGE_TRY_STATUS(require_kernel_file(context.fs, kernel));
  FORGE_TRY(const auto bench, Workbench::open(task, "forge judge", context, progress));
  FORGE_TRY_STATUS(bench->align());
  JobOrder order = align_job(bench->basis(), bench->next_job(), bench->fresh_seeds());
  order.spec.kind = JobKind::kJudge;
  BundleArm candidate;
  candidate.spec.label = kCandidateArm;
  candidate.spec.role = ArmRole::kCandidate;
  candidate.file = kernel;
  order.arms.insert(order.arms.begin(), std::move(candidate));
  return bench->run_for<JudgeResult>(order, "checking and timing the kernel");
}

}  // namespace forge
