// forge evolve TASK: generation after generation, each an ordinary run, until gains end.
#include "evolve/evolve.h"

#include <fmt/format.h>

#include "cli/agents_file.h"
#include "cli/driver_session.h"
#include "cli/exit_code.h"
#include "cli/subcommands.h"
#include "evolve/chain_report.h"
#include "problem/load.h"

namespace forge {

Result<int> run_evolve(const EvolveOptions& options, Context& context) {
  // With --json, standard output is the object's alone.
  const bool is_json = options.format == OutputFormat::kJson;
  FORGE_TRY(const AgentsConfig agents, read_agents(context.fs, options.agents));
  FORGE_TRY(const auto session,
            DriverSession::open(context, agents, "evolve", is_json ? context.err : context.out,
                                is_json ? context.err_terminal : context.terminal));
  const Path task = options.task.has_filename() ? options.task : options.task.parent_path();
  const EvolveRequest request{task, context.artifacts, options.step, options.generations};
  FORGE_TRY(const NewRun run, new_run_request(task, agents, context));
  EvolveContext evolve{session->driver(), context.entropy, run};
  FORGE_TRY(const EvolveEnd end, run_evolve(request, evolve));
  if (std::holds_alternative<Interrupted>(end)) {
    context.err << fmt::format("interrupted; nothing is lost, go on with: forge evolve {}\n",
                               task.string());
    return kExitInterrupted;
  }
  FORGE_TRY(const Problem problem, load_problem(context.fs, task, HiddenShapes::kIgnore));
  const ChainPaths paths(context.artifacts, problem.name);
  FORGE_TRY(const ChainState state, read_chain(context.fs, paths));
  if (is_json) {
    context.out << chain_json(state, paths).dump() << '\n';
  } else {
    context.out << fmt::format("evolution of {}:\n", problem.name) << render_chain_summary(state)
                << fmt::format("report: {}\n", paths.report().string());
  }
  return gains(state).empty() ? kExitOtherwise : kExitOk;
}

}  // namespace forge
