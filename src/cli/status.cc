// forge status: every run in .artifacts, one line each, once or (--watch) until Ctrl-C.
#include <fmt/format.h>

#include <map>

#include "cli/exit_code.h"
#include "cli/live_block.h"
#include "cli/status_text.h"
#include "cli/subcommands.h"

namespace forge {
namespace {

constexpr std::chrono::milliseconds kLookAgain{1000};

std::string no_runs(const Context& context) {
  return fmt::format("no runs in {}; make one with forge new TASK", context.artifacts.string());
}

Result<int> list_once(const StatusOptions& options, Context& context) {
  FORGE_TRY(const auto runs, list_runs(context));
  if (options.format == OutputFormat::kJson) {
    Json json = Json::array();
    for (const ListedRun& run : runs) json.push_back(to_json(run));
    context.out << json.dump() << '\n';
    return kExitOk;
  }
  for (const ListedRun& run : runs) context.out << run_line(run) << '\n';
  if (runs.empty()) context.out << no_runs(context) << '\n';
  return kExitOk;
}

// To a pipe: a line whenever a run's last event is another one. Clocks alone are no news.
class ChangedRuns {
 public:
  void print(const std::vector<ListedRun>& runs, std::ostream& out) {
    for (const ListedRun& run : runs) {
      const std::string now = to_json(run.summary).dump() + (run.driver ? "driven" : "");
      if (std::exchange(seen_[run.name], now) == now) continue;
      out << run_line(run) << std::endl;
    }
  }

 private:
  std::map<std::string, std::string> seen_;
};

Result<int> watch(Context& context) {
  LiveBlock block(context.out, context.columns);
  ChangedRuns changed;
  while (!context.interrupted()) {
    FORGE_TRY(auto runs, list_runs(context));
    if (context.terminal == Terminal::kPlain) {
      changed.print(runs, context.out);
    } else if (runs.empty()) {
      block.show({no_runs(context)});
    } else {
      block.show(watched_lines(std::move(runs), context.rows() - 1));
    }
    if (!context.out) return kExitError;  // the reader is gone
    context.pause(kLookAgain);
  }
  return kExitInterrupted;
}

}  // namespace

Result<int> run_status(const StatusOptions& options, Context& context) {
  return options.mode == StatusMode::kWatch ? watch(context) : list_once(options, context);
}

}  // namespace forge
