#include "cli/driver_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/cache_folder.h"
#include "cli/progress_text.h"
#include "cli/status_line.h"
#include "cli/version.h"
#include "report/from_run.h"
#include "report/render.h"

namespace forge {
namespace {

class TerminalProgress : public Progress {
 public:
  TerminalProgress(std::ostream& out, Terminal terminal, std::function<int()> columns)
      : terminal_(terminal), line_(out, terminal, std::move(columns)) {}

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

Status write_report(Fs& fs, const RunPaths& paths) {
  FORGE_TRY(const ReportModel model, read_report(fs, paths.root()));
  return fs.write_atomic(paths.report(), render_markdown(model));
}

}  // namespace

DriverSession::~DriverSession() = default;

Result<std::unique_ptr<DriverSession>> DriverSession::open(Context& context,
                                                           std::string_view subcommand,
                                                           std::ostream& out, Terminal terminal) {
  std::unique_ptr<DriverSession> session(new DriverSession);
  FORGE_TRY(session->delivery_, context.make_delivery());
  FORGE_TRY(Path cache, cache_folder(context));
  session->backend_ = context.make_backend();
  session->progress_ = std::make_unique<TerminalProgress>(out, terminal, context.columns);
  session->driver_ = std::make_unique<DriverContext>(DriverContext{
      context.fs, context.processes, context.clock, *session->delivery_, *session->backend_,
      *session->progress_, std::move(cache),
      fmt::format("forge {}, process {}", subcommand, getpid()), context.interrupted, context.pause,
      [&fs = context.fs](const RunPaths& paths) { return write_report(fs, paths); }});
  return session;
}

NewRun new_run_request(const Path& task, Context& context) {
  const auto backend = context.make_backend();
  NewRun request;
  request.task = task;
  request.artifacts = context.artifacts;
  request.tool = tool_name();
  request.backend = backend->name();
  request.model = backend->model();
  request.boundary = "none needed: the builtin agent reads its brief only";
  return request;
}

}  // namespace forge
