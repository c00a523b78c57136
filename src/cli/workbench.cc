#include "cli/workbench.h"

#include <fmt/format.h>

#include "cli/alignment_cache.h"
#include "cli/cache_folder.h"
#include "driver/create_run.h"
#include "driver/secrets.h"
#include "judge/freeze.h"
#include "problem/load.h"
#include "problem/notes.h"
#include "sys/interrupt.h"

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

}  // namespace

Workbench::Workbench(Problem problem, MakingFolder work, Path cache, Context& context,
                     StatusLine& progress)
    : problem_(std::move(problem)),
      work_(std::move(work)),
      paths_(work_.path()),
      cache_(std::move(cache)),
      context_(context),
      progress_(progress) {}

Result<std::unique_ptr<Workbench>> Workbench::open(const Path& task, std::string_view user,
                                                   Context& context, StatusLine& progress,
                                                   Purpose purpose) {
  FORGE_TRY(Problem problem, load_problem(context.fs, task, HiddenShapes::kLoad));
  // No agent takes part, so none has to be able to begin.
  problem.not_yet_executable = not_yet_judgeable(problem);
  if (purpose == Purpose::kJudge) FORGE_TRY_STATUS(check_executable(problem, task));
  FORGE_TRY(auto delivery, context.make_delivery());
  FORGE_TRY(Path cache, cache_folder(context));
  FORGE_TRY(auto work, MakingFolder::open(context.fs, cache / "judging", user));
  FORGE_TRY_STATUS(context.fs.set_permissions(work.path(), 0700));
  std::unique_ptr<Workbench> bench(
      new Workbench(std::move(problem), std::move(work), std::move(cache), context, progress));
  bench->delivery_ = std::move(delivery);
  const Path frozen = bench->paths_.problem();
  FORGE_TRY_STATUS(freeze(context.fs, task, frozen));
  FORGE_TRY(bench->judge_, judge_digest(context.fs, frozen));
  if (purpose == Purpose::kPlan) return bench;
  FORGE_TRY(bench->key_, alignment_key(bench->problem_, frozen, context));
  return bench;
}

std::vector<std::uint64_t> Workbench::fresh_seeds() { return draw_job_seeds(context_.entropy); }

JobBasis Workbench::basis() const {
  return {problem_, state_, paths_, cache_.string(), judge_.hex, tolerance_};
}

Status Workbench::align() {
  if (auto cached = cached_tolerance(context_.fs, cache_, key_)) {
    tolerance_ = std::move(*cached);
    return {};
  }
  const JobOrder order = align_job(basis(), next_job(), fresh_seeds());
  FORGE_TRY(const JobResult result, run_for<AlignResult>(order, "aligning oracle and reference"));
  const auto& aligned = std::get<AlignResult>(result.body);
  if (!aligned.mismatch.empty()) {
    return Error{ErrorKind::kInvalidInput, "cannot judge with", problem_.name,
                 "oracle and reference disagree: " + aligned.mismatch,
                 "correct the oracle or the reference"};
  }
  if (!aligned.admission.refusals.empty()) {
    return not_admitted(problem_.name, aligned.admission);
  }
  FORGE_TRY_STATUS(cache_alignment(context_.fs, cache_, key_, result));
  tolerance_ = aligned.tolerance;
  return {};
}

Result<JobResult> Workbench::run(const JobOrder& order, const std::string& doing) {
  const JobTicket ticket{order.spec.id, paths_.job_bundle(order.number),
                         paths_.job_result(order.number)};
  FORGE_TRY_STATUS(
      write_bundle(context_.fs, ticket.bundle, paths_.problem(), order.spec, order.arms));
  FORGE_TRY_STATUS(delivery_->submit(ticket));
  const std::int64_t began = context_.clock.monotonic_ns();
  while (true) {
    const double seconds = static_cast<double>(context_.clock.monotonic_ns() - began) / 1e9;
    progress_.show(doing, fmt::format("{:.0f} s", seconds));
    if (context_.interrupted()) {
      delivery_->cancel(ticket);
      return interrupted_error("the job");
    }
    FORGE_TRY(const bool ended, delivery_->wait(ticket, kTick));
    for (const auto& line : delivery_->news(ticket)) progress_.keep(line);
    if (ended) return delivery_->collect(ticket);
  }
}

Error Workbench::unexpected(const JobOrder& order) {
  return {ErrorKind::kInfrastructure, "cannot use the result of job", order.spec.id,
          "it is of another kind", "forge and forge-worker must be of the same version"};
}

Status require_kernel_file(FileReader& fs, const Path& kernel) {
  if (fs.exists(kernel) && !fs.is_directory(kernel)) return {};
  return Error{ErrorKind::kNotFound, "cannot read", kernel.string(), "there is no such file",
               "give a kernel's source file"};
}

}  // namespace forge
