// From a kernel's source to something that can be launched. May know: target, launcher.h, job.h.
#pragma once

#include <string>
#include <variant>

#include "judge/outcome.h"
#include "problem/problem.h"
#include "target/cpu/compile.h"
#include "worker/launcher.h"
#include "worker/run_job.h"

namespace forge {

struct KernelBuild {
  std::string label;
  Path source;
  Path scratch;         // the generated forge_args.h is written to <scratch>/include/
  Path support;         // materialised support files
  Path problem_folder;  // for [build] includes
  Path cache;
  const Problem* problem = nullptr;
  std::map<std::string, std::string> tunables;
  std::vector<std::string> libraries;
  bool trusted = false;  // may link any library and runs unconfined
  JobLimits limits;
};

struct BuiltKernel {
  std::unique_ptr<Launcher> launcher;
  ArmFacts facts;
};

// What a compiler of any target is asked for, but what is the target's own.
void fill_request(const KernelBuild& build, KernelCompileRequest& request);

using CompiledKernel = CompileOutcome;
// What the compiler or the image inspection refused is an outcome: CompileError or Refused.
using KernelOrOutcome = std::variant<BuiltKernel, CandidateOutcome>;

// The three steps below, one after the other.
Result<KernelOrOutcome> build_kernel(const KernelBuild& build, const WorkerContext& context);

Status write_kernel_header(const KernelBuild& build, const WorkerContext& context);
// Into the cache. Needs the header. Thread-safe.
Result<CompiledKernel> compile_kernel(const KernelBuild& build, const WorkerContext& context);
Result<KernelOrOutcome> load_kernel(const KernelBuild& build, const CompiledKernel& compiled,
                                    const WorkerContext& context);

}  // namespace forge
