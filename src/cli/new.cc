// forge new TASK: makes a run, or checks everything and prints its plan.
#include <fmt/format.h>

#include <algorithm>

#include "cli/agents_file.h"
#include "cli/driver_session.h"
#include "cli/exit_code.h"
#include "cli/plan_text.h"
#include "cli/subcommands.h"
#include "driver/create_run.h"
#include "judge/python.h"
#include "problem/load.h"
#include "run/paths.h"
#include "target/cpu/compile.h"

namespace forge {
namespace {

bool needs_python(const Problem& problem) {
  const auto& references = problem.reference.implementations;
  return problem.judge.oracle.ends_with(".py") ||
         std::any_of(references.begin(), references.end(),
                     [](const auto& each) { return each.language == ReferenceLanguage::kPython; });
}

Result<std::vector<Tunable>> start_tunables(const Problem& problem, const Path& task, Fs& fs) {
  if (!problem.start_path) return std::vector<Tunable>{};
  const std::string_view name = problem.target == Target::kCuda ? "kernel.cu" : kKernelFile;
  const Path kernel = task / *problem.start_path / name;
  if (!fs.exists(kernel)) {
    return Error{ErrorKind::kInvalidInput, "cannot read", kernel.string(),
                 fmt::format("the start folder holds no {}", name),
                 "put the kernel to begin from there"};
  }
  FORGE_TRY(const std::string source, fs.read(kernel));
  return scan_tunables(source, kernel.string());
}

// Who would play which role, each made as a run would make it.
Result<std::string> agents_text(const Path& file, Context& context) {
  FORGE_TRY(const AgentsConfig config, read_agents(context.fs, file));
  FORGE_TRY(Agents agents, make_agents(config, context.agent_world()));
  std::string text;
  for (const Role role : {Role::kTeacher, Role::kStudent}) {
    const Backend& backend = agents.of(role);
    text += fmt::format("{}: {} ({}), boundary {}\n", role_name(role), backend.name(),
                        backend.model(), backend.boundary());
  }
  return text;
}

Result<int> dry_run(const Path& task, const Path& agents, Context& context) {
  FORGE_TRY(const Problem problem, load_problem(context.fs, task, HiddenShapes::kLoad));
  DryRunFindings findings;
  FORGE_TRY(findings.agents, agents_text(agents, context));
  FORGE_TRY(findings.tunables, start_tunables(problem, task, context.fs));
  FORGE_TRY(findings.compiler, find_cpp_compiler(context.fs, context.processes));
  if (needs_python(problem)) {
    FORGE_TRY(findings.python, find_torch_python(context.processes));
  }
  context.out << render_plan(problem, findings);
  return kExitOk;
}

}  // namespace

Result<int> run_new(const NewOptions& options, Context& context) {
  if (options.mode == NewMode::kDryRun) return dry_run(options.task, options.agents, context);
  FORGE_TRY(const AgentsConfig agents, read_agents(context.fs, options.agents));
  FORGE_TRY(const NewRun request, new_run_request(options.task, agents, context));
  FORGE_TRY(const Path run, create_run(request, context.fs, context.clock, context.entropy));
  context.out << "made a run; start it with: forge run " << run.string() << '\n'
              << run.string() << '\n';
  return kExitOk;
}

}  // namespace forge
