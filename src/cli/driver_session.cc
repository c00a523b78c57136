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
                                                           const AgentsConfig& agents,
                                                           std::string_view subcommand,
                                                           std::ostream& out, Terminal terminal) {
  std::unique_ptr<DriverSession> session(new DriverSession);
  FORGE_TRY(session->delivery_, context.make_delivery());
  FORGE_TRY(Path cache, cache_folder(context));
  const AgentWorld world = context.agent_world();
  FORGE_TRY(session->agents_, make_agents(agents, world));
  session->progress_ = std::make_unique<TerminalProgress>(out, terminal, context.columns);
  session->driver_ = std::make_unique<DriverContext>(
      DriverContext{context.fs, context.processes, context.clock, *session->delivery_,
                    [&made = session->agents_](Role role) -> Backend& { return made.of(role); },
                    *session->progress_, std::move(cache),
                    fmt::format("forge {}, process {}", subcommand, getpid()), context.interrupted,
                    context.pause, make_redactor(agents, world),
                    [&fs = context.fs](const RunPaths& paths) { return write_report(fs, paths); }});
  return session;
}

Result<NewRun> new_run_request(const Path& task, const AgentsConfig& agents, Context& context) {
  FORGE_TRY(Agents made, make_agents(agents, context.agent_world()));
  const Backend& student = made.of(Role::kStudent);
  NewRun request;
  request.task = task;
  request.artifacts = context.artifacts;
  request.tool = tool_name();
  request.backend = student.name();
  request.model = student.model();
  // Milestones are what a student knows of the reference: a teacher who can look anywhere counts.
  const std::string teacher = made.of(Role::kTeacher).boundary();
  request.boundary = teacher == kAdvisory ? teacher : student.boundary();
  request.agents = write_agents(agents);
  return request;
}

}  // namespace forge
