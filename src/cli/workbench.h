// A problem, frozen in a temporary folder, on which jobs are done without a run. May know: driver,
// delivery, problem, worker/result.h.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/digest.h"
#include "cli/context.h"
#include "cli/status_line.h"
#include "driver/job_specs.h"
#include "problem/problem.h"
#include "sys/making_folder.h"
#include "worker/result.h"

namespace forge {

class Workbench {
 public:
  // `user`: the subcommand, for whoever finds the folder. The folder is removed when this goes
  // away, or by the next one if we are killed.
  // kPlan: for plans of CUDA kernels, which need neither oracle nor reference; align() and key()
  // are then not to be used.
  enum class Purpose { kJudge, kPlan };
  static Result<std::unique_ptr<Workbench>> open(const Path& task, std::string_view user,
                                                 Context& context, StatusLine& progress,
                                                 Purpose purpose = Purpose::kJudge);

  const Problem& problem() const { return problem_; }
  const Path& folder() const { return paths_.root(); }
  const Path& cache() const { return cache_; }
  // Of everything that decides what the machine does with the problem's references.
  const Digest& key() const { return key_; }

  // Aligns oracle and references, or finds that in the cache. Before any other job.
  Status align();
  // After align().
  JobBasis basis() const;
  int next_job() { return ++jobs_; }
  // Drawn anew at each call.
  std::vector<std::uint64_t> fresh_seeds();

  // `doing`: what the status line says meanwhile. Interrupted: the job is cancelled.
  Result<JobResult> run(const JobOrder& order, const std::string& doing);
  template <typename Body>
  Result<JobResult> run_for(const JobOrder& order, const std::string& doing) {
    FORGE_TRY(JobResult result, run(order, doing));
    if (!std::holds_alternative<Body>(result.body)) return unexpected(order);
    return result;
  }

 private:
  Workbench(Problem problem, MakingFolder work, Path cache, Context& context, StatusLine& progress);
  static Error unexpected(const JobOrder& order);

  Problem problem_;
  const State state_;
  MakingFolder work_;
  RunPaths paths_;
  Path cache_;
  Context& context_;
  StatusLine& progress_;
  std::unique_ptr<Delivery> delivery_;
  Digest judge_;
  Digest key_;
  ToleranceTable tolerance_;
  int jobs_ = 0;
};

// An error unless `kernel` is a file.
Status require_kernel_file(FileReader& fs, const Path& kernel);

}  // namespace forge
