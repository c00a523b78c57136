// The terminal's summary of a run.
#include <fmt/format.h>

#include <cctype>

#include "base/text.h"
#include "report/render.h"

namespace forge {
namespace {

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("  {:<11}{}\n", label, text);
}

std::string opponent_line(const ReportModel& model, const std::string& label) {
  for (const ReportOpponent& each : model.opponents) {
    if (each.label == label) return fmt::format("{} ({})", label, each.description);
  }
  return label;
}

std::string times(const ReportConfirmation& confirmation) {
  const MeanTimes mean = mean_times(confirmation);
  const std::string what = fmt::format(" (geometric mean over {} public shape{}, cold cache)",
                                       confirmation.public_shapes().size(),
                                       confirmation.public_shapes().size() == 1 ? "" : "s");
  return line("reference", format_duration_ns(mean.reference_ns) + what) +
         line("best", format_duration_ns(mean.best_ns) + what);
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

std::string shape_lines(const std::vector<ReportShape>& shapes) {
  std::string text;
  for (const ReportShape& shape : shapes) {
    text += fmt::format("    {:<20} {:>9} -> {:>9}  {}", shape.name,
                        format_duration_ns(shape.reference_ns), format_duration_ns(shape.best_ns),
                        ratio_text(shape.cold));
    if (shape.copy_fraction)
      text += fmt::format("  {:.2f} of copy bandwidth", *shape.copy_fraction);
    if (!shape.slower_words().empty()) text += fmt::format("  {}", upper(shape.slower_words()));
    text += '\n';
  }
  return text;
}

// One line; the table is in report.md.
std::string monitor_line(const std::vector<ReportMonitorRow>& rows) {
  if (rows.empty()) return "";
  std::vector<std::string> departures;
  for (const ReportMonitorRow& row : rows) {
    if (!row.best_departs) continue;
    departures.push_back(row.inputs + (row.reference_departs ? " (the reference too)" : ""));
  }
  if (departures.empty()) {
    return line("monitor", fmt::format("nothing seen with {} kinds of inputs beyond those drawn",
                                       rows.size()));
  }
  return line("monitor",
              "differs on inputs " + join(departures, ", ") + "; no part of the verdict");
}

std::string confirmed(const ReportModel& model, const ReportConfirmation& confirmation) {
  const ReportContrast& overall = confirmation.overall;
  std::string text = line("opponent", opponent_line(model, confirmation.opponent));
  text += times(confirmation);
  text += line("ratio", fmt::format("{} reference over best, {:.0f} % interval, {} new trials",
                                    ratio_text(overall.ratio), 100 * (1 - confirmation.alpha),
                                    overall.trials));
  text += line("verdict",
               fmt::format("the best {} the reference{}", comparison_verb(overall.comparison),
                           overall.reason.empty() ? "" : ": " + overall.reason));
  text += line("goal", fmt::format("{}x: {}", format_ratio(model.goal_ratio),
                                   model.goal_reached ? "reached" : "not reached"));
  const auto slower = confirmation.slower_shapes();
  if (!slower.empty()) {
    text += line("warning", fmt::format("slower than the reference, or perhaps so, on {} of {} "
                                        "public shapes: {}",
                                        slower.size(), confirmation.public_shapes().size(),
                                        join(slower, ", ")));
  }
  text += line("shapes", "reference -> best");
  text += shape_lines(confirmation.public_shapes());
  const auto hidden = confirmation.hidden_shapes();
  if (!hidden.empty()) {
    text += line("hidden", "correct on all; speed shown beside, not part of the ratio");
    text += shape_lines(hidden);
  }
  return text + monitor_line(confirmation.monitor);
}

}  // namespace

std::string render_summary(const ReportModel& model) {
  std::string text = fmt::format("{} on {}: {}\n", model.problem, model.target, model.state);
  if (model.confirmation) {
    text += confirmed(model, *model.confirmation);
  } else {
    for (const ReportOpponent& each : model.opponents) {
      if (each.to_beat) text += line("opponent", opponent_line(model, each.label));
    }
    text += line("ratio", "none: nothing was confirmed");
  }
  text += line("candidates", model.candidates());
  if (!model.best_folder.empty()) text += line("kernel", model.best_folder);
  text += line("report", model.directory + "/report.md");
  return text;
}

}  // namespace forge
