// What every kind of job sets up first: the problem, its cases, and arms ready to be timed. May
// know: everything below worker.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "judge/oracle.h"
#include "problem/problem.h"
#include "target/cuda/device_profile.h"
#include "worker/content_pool.h"
#include "worker/device_launcher.h"
#include "worker/job_arm.h"
#include "worker/kernel_build.h"
#include "worker/launcher.h"
#include "worker/output_checker.h"
#include "worker/process_arm.h"
#include "worker/run_job.h"

namespace forge {

// An arm of the job, compiled or imported: processes of it can be launched. One of the two
// launchers is there: which one is the target's choice.
struct PreparedArm {
  ArmSpec spec;
  std::unique_ptr<Launcher> launcher;
  std::unique_ptr<DeviceLauncher> device;
  ArmFacts facts;
};

// A candidate that never came to life: what became of it.
using PreparedOrOutcome = std::variant<PreparedArm, CandidateOutcome>;

class Session {
 public:
  // Loads the bundle's problem, checks that its judge is the frozen one, starts the oracle.
  static Result<std::unique_ptr<Session>> open(const Path& bundle, JobSpec job,
                                               const WorkerContext& context);

  const JobSpec& job() const { return job_; }
  const Problem& problem() const { return problem_; }
  const ProblemShapes& shapes() const { return shapes_; }
  ContentPool& contents() { return *contents_; }
  Oracle& oracle() { return *oracle_; }
  const WorkerContext& context() const { return context_; }
  Path problem_folder() const { return bundle_ / "problem"; }
  const Path& support() const { return support_; }
  const Path& scratch() const { return scratch_; }
  JobResult& result() { return result_; }

  // Compiles a kernel or starts a Python reference. An Error is infrastructure, or a reference or
  // incumbent that can't be built; a candidate that can't be is an outcome.
  Result<PreparedOrOutcome> prepare_arm(const ArmSpec& spec);

  // Compiles kernels on all CPUs at once; prepare_arm then need not. What the machinery keeps from
  // being compiled here is tried again there.
  Status build_ahead(const std::vector<ArmSpec>& specs);

  // Makes cases until `shape` has `count` of them; the time goes to the oracle's account.
  Status require_contents(std::size_t shape, int count);
  // Contents of a trial: the warm-up's and the pairs', in whole turns of the input groups and at
  // least two turns.
  int contents_needed(std::size_t shape, const ShapeSchedule& schedule) const;
  // Contents to calibrate the tolerance on. Small shapes get more: the worst of a handful of rows
  // says little about the next handful.
  int contents_to_calibrate(std::size_t shape) const;

  std::unique_ptr<OutputChecker> make_checker(double allowed_everywhere);
  std::unique_ptr<OutputChecker> make_checker(const ToleranceTable& tolerance);
  std::unique_ptr<OutputChecker> make_checker(const ToleranceTable& tolerance,
                                              const ContentPool& contents);
  // For references, which set the tolerance and are not judged by it: on fresh seeds they may err a
  // little more than when they were aligned. They must still compute the same function.
  std::unique_ptr<OutputChecker> make_reference_checker();
  std::unique_ptr<JobArm> make_arm(PreparedArm& arm, OutputChecker& checker);
  // On other contents than the session's own; they must outlive it.
  std::unique_ptr<JobArm> make_arm(PreparedArm& arm, OutputChecker& checker,
                                   const ContentPool& contents);
  // Arenas for so many arms at once. Those on a GPU bring their own.
  Status reserve_arenas(std::size_t arms) { return on_gpu() ? Status() : arenas_->reserve(arms); }
  bool on_gpu() const { return gpu_ != nullptr; }
  int max_calls(std::size_t shape) const;

 private:
  Session(JobSpec job, const WorkerContext& context) : job_(std::move(job)), context_(context) {}
  Status load(const Path& bundle);
  Status open_oracle();
  KernelBuild kernel_build(const ArmSpec& spec) const;
  Result<PreparedOrOutcome> prepare_kernel(const ArmSpec& spec);
  Result<PreparedArm> prepare_python(const ArmSpec& spec);
  Status open_gpu_device();
  Result<PreparedOrOutcome> prepare_cuda(const ArmSpec& spec);
  Result<PreparedArm> prepare_torch_on_gpu(const ArmSpec& spec);
  std::unique_ptr<JobArm> make_device_arm(PreparedArm& arm, OutputChecker& checker,
                                          const ContentPool& contents);
  void add_facts(const PreparedArm& arm);

  JobSpec job_;
  WorkerContext context_;
  Path bundle_;
  Path support_;
  Path scratch_;
  Problem problem_;
  ProblemShapes shapes_;
  std::unique_ptr<Oracle> oracle_;
  std::unique_ptr<ContentPool> contents_;
  std::vector<int> slots_;
  std::unique_ptr<ArenaPool> arenas_;
  std::unique_ptr<ReplayerPool> gpu_;  // of CUDA problems
  DeviceProfile device_;               // what is compiled and planned for, likewise
  std::map<std::string, CompiledKernel> compiled_ahead_;  // by label
  JobResult result_;
};

// The slots each shape gets in every arm of a job. The same whatever the job is for, so that a
// kernel can't tell a check from a timing by the room around it.
std::vector<int> slots_for(const std::vector<ShapeInstances>& shapes, int max_calls);

}  // namespace forge
