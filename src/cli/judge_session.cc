#include "cli/judge_session.h"

#include <fmt/format.h>

#include <set>

#include "cli/alignment_cache.h"
#include "cli/cache_folder.h"
#include "driver/create_run.h"
#include "driver/job_specs.h"
#include "driver/secrets.h"
#include "judge/freeze.h"
#include "problem/load.h"
#include "student/verdict.h"
#include "sys/interrupt.h"
#include "sys/making_folder.h"

namespace forge {
namespace {

constexpr std::chrono::milliseconds kTick{200};

Status freeze(Fs& fs, const Path& task, const Path& frozen) {
  FORGE_TRY(const auto files, problem_files(fs, task));
  for (const Path& file : files) {
    FORGE_TRY_STATUS(fs.make_directories((frozen / file).parent_path()));
    FORGE_TRY_STATUS(fs.copy_tree(task / file, frozen / file));
  }
  return {};
}

std::vector<std::uint64_t> fresh_seeds(Entropy& entropy) {
  std::set<std::uint64_t> seeds;
  while (seeds.size() < kSeedsPerJob) seeds.insert(entropy.next());
  return {seeds.begin(), seeds.end()};
}

class Session {
 public:
  Session(const Problem& problem, const Path& folder, Path cache, Digest judge, Context& context,
          Delivery& delivery, StatusLine& progress)
      : problem_(problem),
        paths_(folder),
        cache_(std::move(cache)),
        judge_(std::move(judge)),
        context_(context),
        delivery_(delivery),
        progress_(progress) {}

  Result<ToleranceTable> tolerance() {
    FORGE_TRY(const Digest key, alignment_key(problem_, paths_.problem(), context_));
    if (auto cached = cached_tolerance(context_.fs, cache_, key)) return std::move(*cached);
    const JobOrder order = align_job(basis({}), 1, fresh_seeds(context_.entropy));
    FORGE_TRY(const JobResult result, run(order, "aligning oracle and reference"));
    const auto* aligned = std::get_if<AlignResult>(&result.body);
    if (aligned == nullptr) return unexpected(order);
    if (!aligned->mismatch.empty()) {
      return Error{ErrorKind::kInvalidInput, "cannot judge with", problem_.name,
                   "oracle and reference disagree: " + aligned->mismatch,
                   "correct the oracle or the reference"};
    }
    FORGE_TRY_STATUS(cache_alignment(context_.fs, cache_, key, result));
    return aligned->tolerance;
  }

  Result<JobResult> judge(const Path& kernel, ToleranceTable tolerance) {
    JobOrder order = align_job(basis(std::move(tolerance)), 2, fresh_seeds(context_.entropy));
    order.spec.kind = JobKind::kJudge;
    BundleArm candidate;
    candidate.spec.label = kCandidateArm;
    candidate.spec.role = ArmRole::kCandidate;
    candidate.file = kernel;
    order.arms.insert(order.arms.begin(), std::move(candidate));
    FORGE_TRY(JobResult result, run(order, "checking and timing the kernel"));
    if (!std::holds_alternative<JudgeResult>(result.body)) return unexpected(order);
    return result;
  }

 private:
  JobBasis basis(ToleranceTable tolerance) {
    return {problem_, state_, paths_, cache_.string(), judge_.hex, std::move(tolerance)};
  }

  static Error unexpected(const JobOrder& order) {
    return {ErrorKind::kInfrastructure, "cannot use the result of job", order.spec.id,
            "it is of another kind", "forge and forge-worker must be of the same version"};
  }

  Result<JobResult> run(const JobOrder& order, const std::string& doing) {
    const JobTicket ticket{order.spec.id, paths_.job_bundle(order.number),
                           paths_.job_result(order.number)};
    FORGE_TRY_STATUS(
        write_bundle(context_.fs, ticket.bundle, paths_.problem(), order.spec, order.arms));
    FORGE_TRY_STATUS(delivery_.submit(ticket));
    const std::int64_t began = context_.clock.monotonic_ns();
    while (true) {
      const double seconds = static_cast<double>(context_.clock.monotonic_ns() - began) / 1e9;
      progress_.show(doing, fmt::format("{:.0f} s", seconds));
      if (context_.interrupted()) {
        delivery_.cancel(ticket);
        return interrupted_error("the judging");
      }
      FORGE_TRY(const bool ended, delivery_.wait(ticket, kTick));
      for (const auto& line : delivery_.news(ticket)) progress_.keep(line);
      if (ended) return delivery_.collect(ticket);
    }
  }

  const Problem& problem_;
  const State state_;
  RunPaths paths_;
  Path cache_;
  Digest judge_;
  Context& context_;
  Delivery& delivery_;
  StatusLine& progress_;
};

Status check_inputs(const Problem& problem, const Path& task, const Path& kernel, Fs& fs) {
  if (!fs.exists(kernel) || fs.is_directory(kernel)) {
    return Error{ErrorKind::kNotFound, "cannot read", kernel.string(), "there is no such file",
                 "give a kernel's source file"};
  }
  // No agent takes part, so none has to be able to begin.
  return check_executable(problem, "", task);
}

}  // namespace

Result<JobResult> judge_kernel(const Path& task, const Path& kernel, Context& context,
                               StatusLine& progress) {
  FORGE_TRY(const Problem problem, load_problem(context.fs, task, HiddenShapes::kLoad));
  FORGE_TRY_STATUS(check_inputs(problem, task, kernel, context.fs));
  FORGE_TRY(const auto delivery, context.make_delivery());
  FORGE_TRY(Path cache, cache_folder(context));
  // Removed when judging ends, one way or another, and by the next if it is killed.
  FORGE_TRY(const auto work, MakingFolder::open(context.fs, cache / "judging", "forge judge"));
  FORGE_TRY_STATUS(context.fs.set_permissions(work.path(), 0700));
  const RunPaths paths(work.path());
  FORGE_TRY_STATUS(freeze(context.fs, task, paths.problem()));
  FORGE_TRY(Digest judge, judge_digest(context.fs, paths.problem()));
  Session session(problem, work.path(), std::move(cache), std::move(judge), context, *delivery,
                  progress);
  FORGE_TRY(ToleranceTable tolerance, session.tolerance());
  return session.judge(kernel, std::move(tolerance));
}

}  // namespace forge
