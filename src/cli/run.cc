// forge run RUN: drives a run to its end, from wherever it stands.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "cli/cache_folder.h"
#include "cli/exit_code.h"
#include "cli/find_run.h"
#include "cli/status_line.h"
#include "cli/subcommands.h"
#include "delivery/local.h"
#include "driver/driver.h"
#include "report/from_run.h"
#include "report/render.h"

namespace forge {
namespace {

class TerminalProgress : public Progress {
 public:
  explicit TerminalProgress(Context& context) : line_(context.out, context.terminal) {}

  void update(const ProgressSnapshot& now) override {
    std::string what = fmt::format("{:<9} {}", stage_text(now.stage), now.doing);
    if (now.best_ratio) what += fmt::format("  best {}x", format_ratio(*now.best_ratio));
    if (!now.last_verdict.empty()) what += fmt::format("  last {}", now.last_verdict);
    std::string clocks = format_elapsed(now.elapsed_s);
    if (now.budget_left_s) {
      clocks += fmt::format(", budget left {}", format_elapsed(std::max(0.0, *now.budget_left_s)));
    }
    line_.show(what, clocks);
  }

  void notice(std::string_view text) override { line_.keep(text); }

 private:
  StatusLine line_;
};

Status write_report(Fs& fs, const RunPaths& paths) {
  FORGE_TRY(const ReportModel model, read_report(fs, paths.root()));
  return fs.write_atomic(paths.report(), render_markdown(model));
}

Result<RunEnd> drive(const Path& run, Context& context) {
  FORGE_TRY(const auto delivery, context.make_delivery());
  FORGE_TRY(Path cache, cache_folder(context));
  const auto backend = context.make_backend();
  TerminalProgress progress(context);
  DriverContext driver{context.fs,
                       context.processes,
                       context.clock,
                       *delivery,
                       *backend,
                       progress,
                       std::move(cache),
                       fmt::format("forge run, process {}", getpid()),
                       context.interrupted,
                       pause_or_interrupt,
                       [&](const RunPaths& paths) { return write_report(context.fs, paths); }};
  return run_driver(run, driver);
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
