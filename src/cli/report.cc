// forge report RUN: renders report.md again and prints it.
#include "cli/exit_code.h"
#include "cli/find_run.h"
#include "cli/subcommands.h"
#include "report/from_run.h"
#include "report/render.h"
#include "run/paths.h"

namespace forge {

Result<int> run_report(const ReportOptions& options, Context& context) {
  FORGE_TRY(const Path run, find_run(context.fs, context.artifacts, options.run));
  FORGE_TRY(const ReportModel model, read_report(context.fs, run));
  const std::string text = render_markdown(model);
  FORGE_TRY_STATUS(context.fs.write_atomic(RunPaths(run).report(), text));
  context.out << text;
  return kExitOk;
}

}  // namespace forge
