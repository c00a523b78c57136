#include "cli/status_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "report/model.h"

namespace forge {
namespace {

// What is going on in a run that is driven; how to go on with one that is not; how one ended.
std::string situation(const ListedRun& run) {
  const RunSummary& summary = run.summary;
  if (!summary.ending.empty()) return summary.ending;
  if (!run.driver) return "not running: forge run " + run.name;
  std::vector<std::string> parts = {fmt::format("running (process {})", *run.driver)};
  if (!summary.milestone.empty()) parts.push_back(summary.milestone);
  if (!summary.row.empty()) parts.push_back("row " + summary.row);
  if (!summary.last_verdict.empty()) parts.push_back("last " + summary.last_verdict);
  if (run.left_s) parts.push_back(fmt::format("at most {} left", format_elapsed(*run.left_s)));
  return join(parts, ", ");
}

std::string ratio_column(const RunSummary& summary) {
  if (!summary.ratio) return "-";
  return fmt::format("{} {}", ratio_text(*summary.ratio),
                     summary.confirmed ? "confirmed" : "not confirmed");
}

// A terminal of 80 columns shows both lines whole.
std::vector<std::string> watched_run(const ListedRun& run) {
  const RunSummary& summary = run.summary;
  if (!summary.error.empty()) return {run_line(run)};
  return {fmt::format("{}  {}, {} rounds, {}, {}", run.name, summary.stage, summary.rounds,
                      format_elapsed(run.elapsed_s), ratio_column(summary)),
          "    " + situation(run)};
}

}  // namespace

std::string run_line(const ListedRun& run) {
  const RunSummary& summary = run.summary;
  if (!summary.error.empty()) {
    return fmt::format("{:<28} {:<10} {}", run.name, summary.stage, summary.error);
  }
  return fmt::format("{:<28} {:<10} {:>4} rounds {:>8}  {:<36} {}", run.name, summary.stage,
                     summary.rounds, format_elapsed(run.elapsed_s), ratio_column(summary),
                     situation(run));
}

Json to_json(const ListedRun& run) {
  Json json = Json::object();
  json.set("run", run.name);
  const Json summary = to_json(run.summary);
  for (const auto& [key, value] : *summary.as_object()) json.set(key, value);
  json.set("elapsed_s", run.elapsed_s);
  json.set("driver", run.driver ? Json(*run.driver) : Json());
  json.set("left_s", run.left_s ? Json(*run.left_s) : Json());
  return json;
}

std::vector<std::string> watched_lines(std::vector<ListedRun> runs, int rows) {
  // Text in UTC orders as the times do.
  const auto rank = [](const ListedRun& run) {
    return std::tuple(run.driver.has_value(), std::string_view(run.summary.last_event_at));
  };
  std::stable_sort(runs.begin(), runs.end(), [&](const ListedRun& left, const ListedRun& right) {
    return rank(left) > rank(right);
  });
  const auto most = static_cast<std::size_t>(std::max(1, rows));
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto next = watched_run(runs[i]);
    // The last row is for what is left out, unless nothing is.
    const std::size_t room = i + 1 == runs.size() ? most : most - 1;
    if (lines.size() + next.size() > room) {
      lines.push_back(fmt::format("{} more runs; forge status lists all", runs.size() - i));
      break;
    }
    lines.insert(lines.end(), next.begin(), next.end());
  }
  return lines;
}

}  // namespace forge
