#include "report/from_result.h"

#include <fmt/format.h>

#include <variant>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::string_view kCandidate = "candidate";

double time_of(const JobResult& result, std::string_view label, std::string_view shape) {
  for (const ArmTime& time : result.times) {
    if (time.label == label && time.shape == shape && time.cache == "cold") return time.median_ns;
  }
  return 0;
}

const ShapeRatio* shape_of(const Contrast* contrast, std::string_view shape) {
  if (contrast == nullptr) return nullptr;
  for (const ShapeRatio& each : contrast->shapes) {
    if (each.shape == shape) return &each;
  }
  return nullptr;
}

// How near the kernel comes to a plain copy of as many bytes, in the same job.
std::optional<double> copy_fraction(const JobResult& result, const std::string& shape,
                                    double best_ns) {
  for (const CopyCeiling& ceiling : result.ceilings) {
    if (ceiling.shape == shape && best_ns > 0) return ceiling.median_ns / best_ns;
  }
  return std::nullopt;
}

ReportContrast contrast_of(const Contrast& contrast) {
  return {contrast.opponent, contrast.cache,  contrast.comparison,
          contrast.ratio,    contrast.trials, contrast.reason};
}

constexpr std::string_view kTwice = "the same twice";

template <typename Finding, typename Same>
const Finding* finding_of(const std::vector<Finding>& findings, std::string_view arm, Same same) {
  for (const Finding& each : findings) {
    if (each.arm == arm && same(each)) return &each;
  }
  return nullptr;
}

bool departs(const StressFinding& finding) { return finding.agreeing < finding.cases; }
bool departs(const RepeatFinding& finding) { return finding.identical < finding.cases; }

template <typename Finding>
ReportMonitorRow row_of(std::string_view inputs, const Finding& best, const Finding* reference) {
  ReportMonitorRow row{std::string(inputs), words_of(best), "", departs(best), false};
  if (reference == nullptr) return row;
  row.reference = words_of(*reference);
  row.reference_departs = departs(*reference);
  return row;
}

std::vector<ReportMonitorRow> monitor_rows(const MonitorFindings& found,
                                           const std::string& opponent) {
  std::vector<ReportMonitorRow> rows;
  for (const StressFinding& each : found.stresses) {
    if (each.arm != kCandidate) continue;
    const auto same = [&](const StressFinding& other) { return other.stress == each.stress; };
    rows.push_back(row_of(describe(each.stress), each, finding_of(found.stresses, opponent, same)));
  }
  for (const RepeatFinding& each : found.repeats) {
    if (each.arm != kCandidate) continue;
    const auto any = [](const RepeatFinding&) { return true; };
    rows.push_back(row_of(kTwice, each, finding_of(found.repeats, opponent, any)));
  }
  return rows;
}

}  // namespace

std::string cpu_set_text(const std::vector<int>& cpus) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t end = i + 1;
    while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) ++end;
    parts.push_back(end - i == 1 ? fmt::format("{}", cpus[i])
                                 : fmt::format("{}-{}", cpus[i], cpus[end - 1]));
    i = end;
  }
  return parts.empty() ? "none" : join(parts, ",");
}

void add_result(const JobResult& result, const std::string& opponent, ReportModel& model) {
  const MachineFacts& facts = result.machine;
  model.machine = {facts.cpu,
                   facts.kernel,
                   facts.cores,
                   cpu_set_text(facts.measurer_cpus),
                   cpu_set_text(facts.arm_cpus),
                   facts.compiler,
                   facts.libc};
  if (!result.oracle.empty()) model.oracle = result.oracle;
  std::vector<ReportOpponent> opponents;
  for (const ArmFacts& arm : result.arms) {
    if (!arm.label.starts_with("reference")) continue;
    opponents.push_back({arm.label, arm.description, arm.label == opponent});
  }
  if (!opponents.empty()) model.opponents = std::move(opponents);
}

Result<ReportConfirmation> confirmation_of(const JobResult& result, const std::string& opponent,
                                           const std::set<std::string>& hidden) {
  const auto* judged = std::get_if<JudgeResult>(&result.body);
  const Contrast* cold = nullptr;
  const Contrast* warm = nullptr;
  ReportConfirmation out;
  if (judged != nullptr) {
    for (const Contrast& each : judged->contrasts) {
      if (each.opponent == opponent && each.cache == "cold") {
        cold = &each;
        continue;
      }
      if (each.opponent == opponent && each.cache == "warm") warm = &each;
      out.others.push_back(contrast_of(each));
    }
  }
  if (cold == nullptr) {
    return Error{ErrorKind::kCorrupt, "cannot report confirmation", "job " + result.id,
                 fmt::format("it holds no cold comparison with '{}'", opponent),
                 "restore the job's result, or start a new run"};
  }
  out.opponent = opponent;
  out.overall = contrast_of(*cold);
  out.checked_cases = judged->checked_cases;
  out.timed_calls = judged->timed_calls;
  out.monitor = monitor_rows(judged->monitor, opponent);
  out.monitor_notes = judged->monitor.notes;
  for (const ShapeRatio& each : cold->shapes) {
    ReportShape shape{each.shape,
                      time_of(result, opponent, each.shape),
                      time_of(result, kCandidate, each.shape),
                      each.ratio,
                      std::nullopt,
                      std::nullopt,
                      hidden.contains(each.shape)};
    if (const ShapeRatio* ratio = shape_of(warm, each.shape)) shape.warm = ratio->ratio;
    shape.copy_fraction = copy_fraction(result, each.shape, shape.best_ns);
    out.shapes.push_back(std::move(shape));
  }
  return out;
}

}  // namespace forge
