#include "cli/tune_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/model.h"

namespace forge {
namespace {

struct TableRow {
  Point point;
  int trials = 0;
  std::vector<double> log_ratios;  // sums by shape
  std::string failure;
  std::string artefact;
  double mean() const {
    double sum = 0;
    for (const double value : log_ratios) sum += value;
    return trials == 0 ? 0 : sum / trials / static_cast<double>(log_ratios.size());
  }
};

std::vector<TableRow> rows_of(const TuneReport& report) {
  std::map<Point, TableRow> rows;
  for (const Observation& each : report.observations) {
    const auto point = report.space.point(each.settings);
    if (!point) continue;
    TableRow& row = rows[*point];
    row.point = *point;
    row.failure = each.failure;
    row.artefact = each.artefact;
    for (const auto& trial : each.trials) {
      row.log_ratios.resize(std::max(row.log_ratios.size(), trial.size()), 0);
      for (std::size_t i = 0; i < trial.size(); ++i) row.log_ratios[i] += trial[i];
      ++row.trials;
    }
  }
  std::vector<TableRow> sorted;
  for (auto& [point, row] : rows) sorted.push_back(std::move(row));
  std::stable_sort(sorted.begin(), sorted.end(), [](const TableRow& a, const TableRow& b) {
    if ((a.trials > 0) != (b.trials > 0)) return a.trials > 0;
    return a.mean() > b.mean();
  });
  return sorted;
}

// "kVec = 8 (was 4)", and for what stays "kVec = 8".
std::string settings_text(const TuneReport& report) {
  std::string text;
  const Point start = report.space.start();
  for (std::size_t i = 0; i < report.best.size(); ++i) {
    const Parameter& parameter = report.space.parameters[i];
    text += fmt::format("  {} = {}", parameter.name, parameter.values[report.best[i]]);
    if (report.best[i] != start[i]) {
      text += fmt::format("  (was {})", parameter.values[parameter.start]);
    }
    text += '\n';
  }
  return text;
}

std::string contrast_text(const TuneContrast& contrast) {
  const bool undecided = contrast.measured.comparison == Comparison::kNoVerdict;
  const auto name = contrast.description.empty()
                        ? contrast.opponent
                        : fmt::format("{} ({})", contrast.opponent, contrast.description);
  return fmt::format(
      "confirmed  {}: {} {} ({} trials, {} cache)\n", ratio_text(contrast.measured.ratio),
      undecided ? "undecided beside"
                : fmt::format("it {}", comparison_verb(contrast.measured.comparison)),
      name, contrast.measured.trials, contrast.measured.cache);
}

Json interval_json(const Interval& ratio) {
  return Json::object().set("point", ratio.point).set("low", ratio.low).set("high", ratio.high);
}

Json space_json(const Space& space) {
  Json parameters = Json::array();
  for (const Parameter& parameter : space.parameters) {
    Json values = Json::array();
    for (const std::string& value : parameter.values) values.push_back(value);
    parameters.push_back(
        Json::object()
            .set("name", parameter.name)
            .set("kind", parameter.kind == ParameterKind::kStructure ? "structure" : "tuning")
            .set("shape_class", parameter.shape_class)
            .set("values", std::move(values)));
  }
  return parameters;
}

}  // namespace

std::string tune_text(const TuneReport& report) {
  std::string text = fmt::format("kernel     {}\n", report.kernel);
  text += fmt::format("space      {} choices, {:.0f} combinations, {} requirements\n",
                      report.space.parameters.size(), report.space.combinations(),
                      report.space.requirements.size());
  const int measured = measurements_of(report.observations);
  text += fmt::format("measured   {} configurations, {} measurements", rows_of(report).size(),
                      measured);
  if (report.earlier_measurements > 0) {
    text += fmt::format(", {} of them in earlier runs", report.earlier_measurements);
  }
  text += fmt::format(", {} ({} compiling, {} measuring)\nended      {}\n",
                      format_elapsed(report.seconds), format_elapsed(report.compile_seconds),
                      format_elapsed(report.measure_seconds), report.ended);
  text += "best\n" + settings_text(report);
  if (report.verdict.empty()) {
    text += fmt::format("expected   {:.2f} times as fast as the default (not confirmed)\n",
                        report.predicted);
  } else if (report.verdict != "passed") {
    text += fmt::format("verdict    {}: {}\n", report.verdict, printable(report.reason));
  }
  for (const TuneContrast& contrast : report.confirmed) text += contrast_text(contrast);
  return text + fmt::format("files      {}\n", report.folder);
}

Json tune_json(const TuneReport& report) {
  Json best = Json::object();
  for (const auto& [name, value] : report.space.settings(report.best)) best.set(name, value);
  Json start = Json::object();
  for (const auto& [name, value] : report.space.settings(report.space.start())) {
    start.set(name, value);
  }
  Json confirmed = Json::array();
  for (const TuneContrast& each : report.confirmed) {
    confirmed.push_back(Json::object()
                            .set("opponent", each.opponent)
                            .set("description", each.description)
                            .set("cache", each.measured.cache)
                            .set("comparison", comparison_name(each.measured.comparison))
                            .set("ratio", interval_json(each.measured.ratio))
                            .set("trials", each.measured.trials));
  }
  Json requirements = Json::array();
  for (const Condition& each : report.space.requirements) requirements.push_back(each.text());
  Json classes = Json::array();
  for (const int each : report.space.shape_classes) classes.push_back(each);
  return Json::object()
      .set("format", 1)
      .set("machine", Json::object()
                          .set("cpu", report.machine.cpu)
                          .set("kernel", report.machine.kernel)
                          .set("compiler", report.machine.compiler)
                          .set("libc", report.machine.libc))
      .set("parameters", space_json(report.space))
      .set("requirements", std::move(requirements))
      .set("shape_classes", std::move(classes))
      .set("problem", report.problem)
      .set("kernel", report.kernel)
      .set("combinations", report.space.combinations())
      .set("configurations", static_cast<std::uint64_t>(rows_of(report).size()))
      .set("measurements", measurements_of(report.observations))
      .set("earlier_measurements", report.earlier_measurements)
      .set("seconds", report.seconds)
      .set("compile_seconds", report.compile_seconds)
      .set("measure_seconds", report.measure_seconds)
      .set("ended", report.ended)
      .set("default", std::move(start))
      .set("best", std::move(best))
      .set("predicted", report.predicted)
      .set("verdict", report.verdict)
      .set("reason", report.reason)
      .set("confirmed", std::move(confirmed))
      .set("folder", report.folder);
}

std::string tune_table(const TuneReport& report) {
  std::string text;
  for (const Parameter& parameter : report.space.parameters) text += parameter.name + "\t";
  text += "trials\tdefault_over_this\tby_shape\tartefact\tfailure\n";
  for (const TableRow& row : rows_of(report)) {
    for (std::size_t i = 0; i < row.point.size(); ++i) {
      text += report.space.parameters[i].values[row.point[i]] + "\t";
    }
    std::vector<std::string> by_shape;
    for (const double sum : row.log_ratios) {
      by_shape.push_back(fmt::format("{:.4f}", std::exp(sum / row.trials)));
    }
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", row.trials,
                        row.trials > 0 ? fmt::format("{:.4f}", std::exp(row.mean())) : "",
                        join(by_shape, " "), row.artefact.substr(0, 12),
                        row.failure.substr(0, row.failure.find('\n')));
  }
  return text;
}

}  // namespace forge
