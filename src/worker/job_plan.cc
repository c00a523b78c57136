// A job on a CUDA kernel where there is no device: everything that can be known before it runs.
#include <fmt/format.h>

#include "judge/freeze.h"
#include "problem/load.h"
#include "sys/pinned_process.h"
#include "sys/support_files.h"
#include "target/cuda/plan_text.h"
#include "worker/content_pool.h"
#include "worker/cuda_kernel.h"
#include "worker/jobs.h"
#include "worker/machine.h"

namespace forge {
namespace {

std::string device_text(const DeviceProfile& device) {
  return fmt::format("{}, {}{}", device.name, device.arch,
                     device.origin == DeviceOrigin::kAssumed ? " (assumed)" : "");
}

using Sass = std::optional<std::map<std::string, SassCounts>>;

// Nothing without a disassembler.
Result<Sass> count_instructions(const CudaKernel& kernel, const WorkerContext& context) {
  FORGE_TRY(const CudaToolkit toolkit, identify_cuda_toolkit(*context.fs, *context.processes));
  const auto disassembler = find_disassembler(toolkit, *context.fs, *context.processes);
  if (!disassembler) return Sass();
  FORGE_TRY(auto counts, disassemble(*disassembler, kernel.artefact.cubin, *context.processes));
  return Sass(std::move(counts));
}

PlanResult describe(const CudaKernel& kernel, const Sass& sass) {
  const Plan& plan = kernel.planned.plan;
  const auto kernels = inspect_kernels({plan, kernel.planned.cubin, kernel.device,
                                        kernel.artefact.ptxas, kernel.planned.occupancy, sass});
  PlanResult result;
  result.device = device_text(kernel.device);
  result.plan_digest = digest_of(kernel.planned.encoded).hex;
  result.explanation = plan_text(plan, kernels, kernel.device);
  result.metrics = mechanism_metrics(kernels);
  result.checked = {
      fmt::format("compiled for {} by {}", kernel.device.arch, kernel.artefact.compiler),
      fmt::format("launches planned for {} shapes and groups, in two processes that agree",
                  plan.variants.size()),
      "plan validated against buffers, device limits and device code",
      sass ? "device code inspected, its instructions counted"
           : "device code inspected; no nvdisasm here to count its instructions"};
  std::string checked;
  for (const std::string& each : result.checked) checked += (checked.empty() ? "" : "; ") + each;
  result.outcome = NoVerdict{
      fmt::format("no CUDA device here, so nothing was run, compared or timed ({})", checked)};
  return result;
}

}  // namespace

Result<JobResult> run_plan(const Path& bundle, const JobSpec& job, const WorkerContext& context) {
  become_subreaper();
  Fs& fs = *context.fs;
  const Path folder = bundle / "problem";
  FORGE_TRY(const Digest digest, judge_digest(fs, folder));
  if (digest.hex != job.check_digest) {
    return Error{ErrorKind::kCorrupt, "cannot run job", job.id,
                 "the judge in its bundle is not the one that was frozen",
                 "restore the run's problem/ folder or start a new run"};
  }
  FORGE_TRY(const Problem problem, load_problem(fs, folder, HiddenShapes::kIgnore));
  if (problem.target != Target::kCuda) {
    return Error{ErrorKind::kInvalidInput, "cannot run job", job.id,
                 "only CUDA kernels have launch plans", ""};
  }
  FORGE_TRY(const ProblemShapes shapes, all_shapes(problem));
  std::vector<const Instance*> instances;
  for (const ShapeInstances& groups : shapes.instances) {
    for (const Instance& instance : groups) instances.push_back(&instance);
  }
  const ArmSpec& candidate = job.arms.front();
  KernelBuild build;
  build.label = candidate.label;
  build.source = bundle / candidate.source;
  build.scratch = bundle / "work";
  FORGE_TRY(build.support, materialise_support_files(fs, job.cache));
  build.problem_folder = folder;
  build.cache = job.cache;
  build.problem = &problem;
  build.tunables = candidate.tunables;
  build.limits = job.limits;
  FORGE_TRY(const DeviceProfile device, planning_device(problem));
  FORGE_TRY(auto prepared,
            prepare_cuda_kernel(build, device, instances, job.seeds.front(), context));

  JobResult result;
  result.id = job.id;
  result.machine = machine_facts(fs, context.cpus);
  if (auto* outcome = std::get_if<CandidateOutcome>(&prepared)) {
    PlanResult body;
    body.outcome = std::move(*outcome);
    body.device = device_text(device);
    result.body = std::move(body);
    return result;
  }
  const auto& kernel = std::get<CudaKernel>(prepared);
  FORGE_TRY(const Sass sass, count_instructions(kernel, context));
  result.body = describe(kernel, sass);
  result.machine.compiler = kernel.artefact.compiler;
  result.arms.push_back({candidate.label, kernel.artefact.compiler, kernel.artefact.command,
                         kernel.artefact.object_digest.hex});
  result.compile_seconds = kernel.compile_seconds;
  result.measure_seconds = kernel.plan_seconds;
  result.output = kernel.planned.output;
  return result;
}

}  // namespace forge
