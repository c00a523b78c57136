// forge run RUN: drives a run to its end, from wherever it stands.
#include <fmt/format.h>

#include "cli/agents_file.h"
#include "cli/driver_session.h"
#include "cli/exit_code.h"
#include "cli/find_run.h"
#include "cli/progress_text.h"
#include "cli/subcommands.h"
#include "driver/driver.h"
#include "report/from_run.h"
#include "report/render.h"

namespace forge {
namespace {

// A journal that can't be read is the driver's to report.
void say_where_it_stands(const Path& run, Context& context, Progress& progress) {
  const auto state = read_state(context.fs, run);
  if (!state) return;
  if (const auto text = resumed_line(*state)) progress.notice(*text);
}

Result<RunEnd> drive(const Path& run, Context& context) {
  FORGE_TRY(const AgentsConfig agents, agents_of_run(context.fs, run));
  FORGE_TRY(const auto session,
            DriverSession::open(context, agents, "run", context.out, context.terminal));
  say_where_it_stands(run, context, session->driver().progress);
  return run_driver(run, session->driver());
}

}  // namespace

Result<int> run_run(const RunOptions& options, Context& context) {
  FORGE_TRY(const Path run, find_run(context.fs, context.artifacts, options.run));
  FORGE_TRY(const RunEnd end, drive(run, context));
  if (std::holds_alternative<Interrupted>(end)) {
    context.out << fmt::format("interrupted; nothing is lost, go on with: forge run {}\n",
                               run.string());
    return kExitInterrupted;
  }
  FORGE_TRY(const ReportModel model, read_report(context.fs, run));
  context.out << render_summary(model);
  return std::get<Finished>(end).ending == Ending::kGoalConfirmed ? kExitOk : kExitOtherwise;
}

}  // namespace forge
