// forge run RUN: drives a run to its end, from wherever it stands.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/cache_folder.h"
#include "cli/exit_code.h"
#include "cli/find_run.h"
#include "cli/progress_text.h"
#include "cli/status_line.h"
#include "cli/subcommands.h"
#include "driver/driver.h"
#include "report/from_run.h"
#include "report/render.h"

namespace forge {
namespace {

class TerminalProgress : public Progress {
 public:
  explicit TerminalProgress(Context& context)
      : terminal_(context.terminal), line_(context.out, context.terminal, context.columns) {}

  void update(const ProgressSnapshot& now) override {
    if (terminal_ == Terminal::kLive)
      line_.show(live_text(now), live_clock(now), {live_detail(now)});
  }

  void happened(const Event& event, const State& state) override {
    if (const auto text = event_line(event, state)) line_.keep(*text);
  }

  void notice(std::string_view text) override { line_.keep(text); }

 private:
  Terminal terminal_;
  StatusLine line_;
};

// A journal that can't be read is the driver's to report.
void say_where_it_stands(const Path& run, Context& context, Progress& progress) {
  const auto state = read_state(context.fs, run);
  if (!state) return;
  if (const auto text = resumed_line(*state)) progress.notice(*text);
}

Status write_report(Fs& fs, const RunPaths& paths) {
  FORGE_TRY(const ReportModel model, read_report(fs, paths.root()));
  return fs.write_atomic(paths.report(), render_markdown(model));
}

Result<RunEnd> drive(const Path& run, Context& context) {
  FORGE_TRY(const auto delivery, context.make_delivery());
  FORGE_TRY(Path cache, cache_folder(context));
  const auto backend = context.make_backend();
  TerminalProgress progress(context);
  say_where_it_stands(run, context, progress);
  DriverContext driver{context.fs,
                       context.processes,
                       context.clock,
                       *delivery,
                       *backend,
                       progress,
                       std::move(cache),
                       fmt::format("forge run, process {}", getpid()),
                       context.interrupted,
                       context.pause,
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
