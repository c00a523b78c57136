#include "cli/run_list.h"

#include <algorithm>

#include "problem/load.h"
#include "run/journal.h"
#include "run/paths.h"

namespace forge {
namespace {

Result<RunSummary> fold_summary(const std::string& text, const RunPaths& paths, Fs& fs) {
  FORGE_TRY(const Journal journal, parse_journal(text, paths.journal().string()));
  FORGE_TRY(const State state, fold(journal));
  RunSummary summary = summarise(state);
  // Only a convenience: a disk that is full or read-only must not hide the runs.
  if (journal.notice.empty()) {
    static_cast<void>(
        fs.write_atomic(paths.summary(), kept_summary(summary, text), Durability::kScratch));
  }
  return summary;
}

RunSummary read_summary(const RunPaths& paths, Fs& fs) {
  const auto text = fs.read(paths.journal());
  if (!text) return unreadable(text.error());
  if (const auto kept = fs.read(paths.summary())) {
    if (auto summary = take_kept_summary(*kept, *text)) return std::move(*summary);
  }
  auto summary = fold_summary(*text, paths, fs);
  return summary ? std::move(*summary) : unreadable(summary.error());
}

// Seconds since the last event, of a run that is being driven.
double since_last_event(const RunSummary& summary, Clock& clock) {
  const auto last = utc_seconds(summary.last_event_at);
  const auto now = utc_seconds(clock.utc_now());
  return last && now ? static_cast<double>(std::max<std::int64_t>(0, *now - *last)) : 0;
}

ListedRun list_run(const Path& folder, Context& context) {
  const RunPaths paths(folder);
  ListedRun run;
  run.name = folder.filename().string();
  run.summary = read_summary(paths, context.fs);
  run.elapsed_s = run.summary.elapsed_s;
  if (!run.summary.ending.empty() || !run.summary.error.empty()) return run;
  run.driver = context.lock_owner(paths.lock());
  if (!run.driver) return run;
  run.elapsed_s += since_last_event(run.summary, context.clock);
  if (!run.summary.forge_began_s || run.summary.stage != stage_text(Stage::kForge)) return run;
  const auto problem = load_problem(context.fs, paths.problem(), HiddenShapes::kIgnore);
  if (problem) {
    run.left_s =
        std::max(0.0, problem->budget.hours * 3600 - (run.elapsed_s - *run.summary.forge_began_s));
  }
  return run;
}

}  // namespace

Result<std::vector<ListedRun>> list_runs(Context& context) {
  std::vector<ListedRun> runs;
  if (!context.fs.is_directory(context.artifacts)) return runs;
  FORGE_TRY(const auto folders, find_runs(context.fs, context.artifacts));
  for (const Path& folder : folders) runs.push_back(list_run(folder, context));
  return runs;
}

}  // namespace forge
