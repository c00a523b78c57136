// forge status: every run in .artifacts, one line each. Reads journals only, so it is fast.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/subcommands.h"
#include "report/model.h"
#include "run/journal.h"
#include "run/paths.h"
#include "run/state.h"

namespace forge {
namespace {

struct RunLine {
  std::string name;
  std::string stage;   // "forge", "done", "unreadable"
  std::string ending;  // of a finished run
  std::string detail;  // why a run can't be read
  int rounds = 0;
  double elapsed_s = 0;
  std::optional<Interval> ratio;
  bool confirmed = false;
};

// Of the confirmation if there is one, else of the best round's own job.
void add_ratio(const State& state, RunLine& line) {
  const Confirmed* confirmed = state.confirmation();
  if (confirmed != nullptr && confirmed->verdict == Verdict::kPassed && state.baseline) {
    for (const OpponentRatio& each : confirmed->ratios) {
      if (each.opponent != state.baseline->opponent) continue;
      line.ratio = each.measured.ratio;
      line.confirmed = true;
      return;
    }
  }
  const Round* best = state.best();
  if (best != nullptr && best->judged && best->judged->vs_reference) {
    line.ratio = best->judged->vs_reference->ratio;
  }
}

Result<State> read_state(FileReader& fs, const Path& run) {
  FORGE_TRY(const Journal journal, read_journal(fs, RunPaths(run).journal()));
  return fold(journal);
}

RunLine line_of(FileReader& fs, const Path& run) {
  RunLine line;
  line.name = run.filename().string();
  const Result<State> state = read_state(fs, run);
  if (!state) {
    line.stage = "unreadable";
    line.detail = state.error().message();
    return line;
  }
  line.stage = stage_text(state->stage());
  if (state->finished) line.ending = ending_text(state->finished->ending);
  line.rounds = static_cast<int>(state->rounds.size());
  line.elapsed_s = state->elapsed_s;
  add_ratio(*state, line);
  return line;
}

Json to_json(const Interval& ratio) {
  return Json::object().set("point", ratio.point).set("low", ratio.low).set("high", ratio.high);
}

Json to_json(const RunLine& line) {
  Json json = Json::object();
  json.set("run", line.name).set("stage", line.stage);
  json.set("ending", line.ending.empty() ? Json() : Json(line.ending));
  json.set("rounds", line.rounds).set("elapsed_s", line.elapsed_s);
  json.set("ratio", line.ratio ? to_json(*line.ratio) : Json()).set("confirmed", line.confirmed);
  json.set("error", line.detail.empty() ? Json() : Json(line.detail));
  return json;
}

std::string text_of(const RunLine& line) {
  if (!line.detail.empty()) {
    return fmt::format("{:<28} {:<10} {}\n", line.name, line.stage, line.detail);
  }
  const std::string ratio = line.ratio ? fmt::format("{} {}", ratio_text(*line.ratio),
                                                     line.confirmed ? "confirmed" : "not confirmed")
                                       : "-";
  return fmt::format("{:<28} {:<10} {:>4} rounds {:>8}  {:<36} {}\n", line.name, line.stage,
                     line.rounds, format_elapsed(line.elapsed_s), ratio, line.ending);
}

}  // namespace

Result<int> run_status(const StatusOptions& options, Context& context) {
  std::vector<Path> runs;
  if (context.fs.is_directory(context.artifacts)) {
    FORGE_TRY(runs, find_runs(context.fs, context.artifacts));
  }
  Json json = Json::array();
  for (const Path& run : runs) {
    const RunLine line = line_of(context.fs, run);
    if (options.format == OutputFormat::kJson) {
      json.push_back(to_json(line));
    } else {
      context.out << text_of(line);
    }
  }
  if (options.format == OutputFormat::kJson) {
    context.out << json.dump() << '\n';
  } else if (runs.empty()) {
    context.out << fmt::format("no runs in {}; make one with forge new TASK\n",
                               context.artifacts.string());
  }
  return kExitOk;
}

}  // namespace forge
