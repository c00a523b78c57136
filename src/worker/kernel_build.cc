#include "worker/kernel_build.h"

#include "target/cpu/compile.h"
#include "target/cpu/elf_image.h"
#include "target/kernel_header.h"
#include "worker/machine.h"

namespace forge {
namespace {

CpuCompileRequest compile_request(const KernelBuild& build) {
  CpuCompileRequest request;
  request.source = build.source;
  request.header_folder = build.scratch / "include";
  request.include_folder = build.support / "include";
  for (const std::string& include : build.problem->build.includes) {
    request.problem_includes.push_back(build.problem_folder / include);
  }
  request.flags = build.problem->build.flags;
  request.standard = build.problem->build.standard;
  request.tunables = build.tunables;
  request.libraries = build.libraries;
  request.cache = build.cache;
  request.wall =
      std::chrono::milliseconds(static_cast<std::int64_t>(build.limits.compile_seconds * 1000));
  return request;
}

}  // namespace

Result<std::variant<BuiltKernel, CandidateOutcome>> build_kernel(const KernelBuild& build,
                                                                 const WorkerContext& context) {
  using Outcome = std::variant<BuiltKernel, CandidateOutcome>;
  FORGE_TRY_STATUS(context.fs->make_directories(build.scratch / "include"));
  FORGE_TRY_STATUS(context.fs->write_atomic(build.scratch / "include" / "forge_args.h",
                                            kernel_header(*build.problem), Durability::kScratch));
  FORGE_TRY(auto compiled,
            compile_for_cpu(compile_request(build), *context.fs, *context.processes));
  if (const auto* diagnostics = std::get_if<CompileDiagnostics>(&compiled)) {
    return Outcome(CandidateOutcome(CompileError{diagnostics->log}));
  }
  const auto& artefact = std::get<CpuArtefact>(compiled);
  FORGE_TRY(const std::string object, context.fs->read(artefact.shared_object));
  auto inspected = inspect_image(std::as_bytes(std::span(object)),
                                 build.trusted ? ImageTrust::kTrusted : ImageTrust::kCandidate);
  if (const auto* refused = std::get_if<ImageRefused>(&inspected)) {
    return Outcome(CandidateOutcome(Refused{refused->reason}));
  }
  auto& image = std::get<LoadableImage>(inspected);
  KernelLaunch launch;
  launch.image = std::move(image.bytes);
  launch.initialisers = std::move(image.initialisers);
  launch.confinement =
      build.trusted ? runner::Confinement::kTrusted : runner::Confinement::kCandidate;
  launch.memory_limit_bytes = build.limits.memory_bytes;
  launch.cpus = context.cpus.arms;
  launch.description = artefact.compiler + describe_libraries(build.libraries, *context.processes);
  BuiltKernel built;
  built.facts = {build.label, launch.description, artefact.command, artefact.object_digest.hex};
  FORGE_TRY(built.launcher, make_kernel_launcher(std::move(launch)));
  return Outcome(std::move(built));
}

}  // namespace forge
