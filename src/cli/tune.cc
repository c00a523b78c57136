// forge tune TASK [KERNEL]: searches the values that a kernel declares, with no run.
#include "cli/exit_code.h"
#include "cli/subcommands.h"
#include "cli/tune_session.h"

namespace forge {

Result<int> run_tune(const TuneOptions& options, Context& context) {
  FORGE_TRY(const TuneReport report, tune_kernel(options, context));
  const bool json = options.format == OutputFormat::kJson;
  context.out << (json ? tune_json(report).dump() + "\n" : tune_text(report));
  return report.verdict == "passed" ? kExitOk : kExitOtherwise;
}

}  // namespace forge
