#include "worker/cuda_kernel.h"

#include "target/kernel_header.h"

namespace forge {
namespace {

using Outcome = std::variant<CudaKernel, CandidateOutcome>;

class Stopwatch {
 public:
  explicit Stopwatch(Clock& clock) : clock_(clock), began_(clock.monotonic_ns()) {}
  double seconds() const { return static_cast<double>(clock_.monotonic_ns() - began_) * 1e-9; }

 private:
  Clock& clock_;
  std::int64_t began_;
};

CudaCompileRequest compile_request(const KernelBuild& build, const DeviceProfile& device,
                                   Path recorder) {
  CudaCompileRequest request;
  fill_request(build, request);
  request.arch = device.arch;
  request.recorder = std::move(recorder);
  return request;
}

}  // namespace

Result<DeviceProfile> planning_device(const Problem& problem) {
  const std::string arch =
      problem.build.arch.empty() ? std::string(kDefaultArch) : problem.build.arch;
  if (auto device = assumed_device(arch)) return std::move(*device);
  return Error{ErrorKind::kInvalidInput, "cannot plan for", arch,
               "its limits are not known here and no such device is present",
               "known: " + known_archs()};
}

Result<Outcome> prepare_cuda_kernel(const KernelBuild& build, const DeviceProfile& device,
                                    const std::vector<const Instance*>& instances,
                                    std::uint64_t seed, const WorkerContext& context) {
  Fs& fs = *context.fs;
  const Stopwatch compiling(*context.clock);
  FORGE_TRY_STATUS(fs.make_directories(build.scratch / "include"));
  FORGE_TRY_STATUS(fs.write_atomic(build.scratch / "include" / "forge_args.h",
                                   kernel_header(*build.problem), Durability::kScratch));
  FORGE_TRY(const CudaToolkit toolkit, identify_cuda_toolkit(fs, *context.processes));
  FORGE_TRY(const Path recorder,
            build_recorder(toolkit, build.support, build.cache, fs, *context.processes));
  FORGE_TRY(auto compiled, compile_for_cuda(compile_request(build, device, recorder), toolkit, fs,
                                            *context.processes));
  if (const auto* diagnostics = std::get_if<CompileDiagnostics>(&compiled)) {
    return Outcome(CandidateOutcome(CompileError{diagnostics->log}));
  }
  if (const auto* refused = std::get_if<CompileRefused>(&compiled)) {
    return Outcome(CandidateOutcome(Refused{refused->reason}));
  }
  CudaKernel kernel;
  kernel.artefact = std::get<CudaArtefact>(std::move(compiled));
  kernel.device = device;
  kernel.compile_seconds = compiling.seconds();
  const Stopwatch planning(*context.clock);
  CudaPlanRequest request;
  request.artefact = &kernel.artefact;
  request.recorder = recorder;
  request.signature = &build.problem->signature;
  request.instances = instances;
  request.device = device;
  request.seed = seed;
  request.limits = build.limits;
  FORGE_TRY(auto planned, plan_cuda_kernel(request, context));
  if (auto* outcome = std::get_if<CandidateOutcome>(&planned)) return Outcome(std::move(*outcome));
  kernel.planned = std::get<PlannedKernel>(std::move(planned));
  kernel.plan_seconds = planning.seconds();
  return Outcome(std::move(kernel));
}

}  // namespace forge
