#include "worker/kernel_build.h"

#include "target/cpu/elf_image.h"
#include "target/kernel_header.h"
#include "worker/machine.h"

namespace forge {
namespace {

CpuCompileRequest compile_request(const KernelBuild& build) {
  CpuCompileRequest request;
  fill_request(build, request);
  request.libraries = build.libraries;
  return request;
}

}  // namespace

void fill_request(const KernelBuild& build, KernelCompileRequest& request) {
  request.source = build.source;
  request.header_folder = build.scratch / "include";
  request.include_folder = build.support / "include";
  for (const std::string& include : build.problem->build.includes) {
    request.problem_includes.push_back(build.problem_folder / include);
  }
  request.flags = build.problem->build.flags;
  request.standard = build.problem->build.standard;
  request.tunables = build.tunables;
  request.cache = build.cache;
  request.wall =
      std::chrono::milliseconds(static_cast<std::int64_t>(build.limits.compile_seconds * 1000));
}

Status write_kernel_header(const KernelBuild& build, const WorkerContext& context) {
  FORGE_TRY_STATUS(context.fs->make_directories(build.scratch / "include"));
  return context.fs->write_atomic(build.scratch / "include" / "forge_args.h",
                                  kernel_header(*build.problem), Durability::kScratch);
}

Result<CompiledKernel> compile_kernel(const KernelBuild& build, const WorkerContext& context) {
  return compile_for_cpu(compile_request(build), *context.fs, *context.processes);
}

Result<KernelOrOutcome> load_kernel(const KernelBuild& build, const CompiledKernel& compiled,
                                    const WorkerContext& context) {
  if (const auto* diagnostics = std::get_if<CompileDiagnostics>(&compiled)) {
    return KernelOrOutcome(CandidateOutcome(CompileError{diagnostics->log}));
  }
  if (const auto* refused = std::get_if<CompileRefused>(&compiled)) {
    return KernelOrOutcome(CandidateOutcome(Refused{refused->reason}));
  }
  const auto& artefact = std::get<CpuArtefact>(compiled);
  const Defences& defences = context.defences;
  FORGE_TRY(const std::string object, context.fs->read(artefact.shared_object));
  auto inspected = inspect_image(std::as_bytes(std::span(object)),
                                 build.trusted || !defences.has(Defence::kImageInspection)
                                     ? ImageTrust::kTrusted
                                     : ImageTrust::kCandidate);
  if (const auto* refused = std::get_if<ImageRefused>(&inspected)) {
    return KernelOrOutcome(CandidateOutcome(Refused{refused->reason}));
  }
  auto& image = std::get<LoadableImage>(inspected);
  KernelLaunch launch;
  launch.image = std::move(image.bytes);
  launch.initialisers = std::move(image.initialisers);
  launch.confinement = build.trusted || !defences.has(Defence::kConfinedRunner)
                           ? runner::Confinement::kTrusted
                           : runner::Confinement::kCandidate;
  launch.memory_limit_bytes = build.limits.memory_bytes;
  launch.cpus = context.cpus.arms;
  launch.description = artefact.compiler + describe_libraries(build.libraries, *context.processes);
  BuiltKernel built;
  built.facts = {build.label, launch.description, artefact.command, artefact.object_digest.hex};
  FORGE_TRY(built.launcher, make_kernel_launcher(std::move(launch)));
  return KernelOrOutcome(std::move(built));
}

Result<KernelOrOutcome> build_kernel(const KernelBuild& build, const WorkerContext& context) {
  FORGE_TRY_STATUS(write_kernel_header(build, context));
  FORGE_TRY(const CompiledKernel compiled, compile_kernel(build, context));
  return load_kernel(build, compiled, context);
}

}  // namespace forge
