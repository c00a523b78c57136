// forge judge TASK KERNEL: judges and times one kernel file, with no run.
#include "cli/exit_code.h"
#include "cli/judge_output.h"
#include "cli/judge_session.h"
#include "cli/status_line.h"
#include "cli/subcommands.h"

namespace forge {

Result<int> run_judge(const JudgeOptions& options, Context& context) {
  StatusLine progress(context.err, context.err_terminal, context.columns);
  const bool json = options.format == OutputFormat::kJson;
  FORGE_TRY(const JobResult result, judge_kernel(options.task, options.kernel, context, progress));
  progress.clear();
  context.out << (json ? judgement_json(result).dump() + "\n" : judgement_text(result));
  const auto* judged = std::get_if<JudgeResult>(&result.body);
  if (options.detail == JudgeDetail::kExplainPlan && !json) {
    context.out << explanation_text(result);
  }
  const bool passed = judged != nullptr && std::holds_alternative<Passed>(judged->outcome);
  return passed ? kExitOk : kExitOtherwise;
}

}  // namespace forge
