#include "cli/judge_output.h"

#include <fmt/format.h>

#include "base/text.h"
#include "report/model.h"
#include "student/verdict.h"

namespace forge {
namespace {

Json ratio_json(const Interval& ratio) {
  return Json::object().set("point", ratio.point).set("low", ratio.low).set("high", ratio.high);
}

std::string reason_of(const JudgeResult& judged) {
  std::string reason = explain(judged.outcome);
  const Contrast* contrast = headline(judged);
  if (reason.empty() && contrast != nullptr) reason = contrast->reason;
  return reason;
}

Json shapes_json(const Contrast* contrast) {
  Json shapes = Json::array();
  if (contrast == nullptr) return shapes;
  for (const ShapeRatio& each : contrast->shapes) {
    shapes.push_back(Json::object().set("shape", each.shape).set("ratio", ratio_json(each.ratio)));
  }
  return shapes;
}

Json times_json(const JobResult& result) {
  Json times = Json::array();
  for (const ArmTime& each : result.times) {
    times.push_back(Json::object()
                        .set("label", each.label)
                        .set("shape", each.shape)
                        .set("cache", each.cache)
                        .set("median_ns", each.median_ns));
  }
  return times;
}

std::string describe_arm(const JobResult& result, const std::string& label) {
  for (const ArmFacts& arm : result.arms) {
    if (arm.label == label) return arm.description;
  }
  return "";
}

// Every reference that was timed beside the headline's.
std::vector<const Contrast*> other_contrasts(const JudgeResult& judged) {
  std::vector<const Contrast*> others;
  const Contrast* shown = headline(judged);
  for (const Contrast& each : judged.contrasts) {
    if (shown != nullptr && &each != shown && each.cache == "cold") others.push_back(&each);
  }
  return others;
}

Json others_json(const JobResult& result, const JudgeResult& judged) {
  Json others = Json::array();
  for (const Contrast* each : other_contrasts(judged)) {
    others.push_back(Json::object()
                         .set("label", each->opponent)
                         .set("description", describe_arm(result, each->opponent))
                         .set("ratio", ratio_json(each->ratio)));
  }
  return others;
}

Json opponent_json(const JobResult& result, const Contrast* contrast) {
  if (contrast == nullptr) return {};
  return Json::object()
      .set("label", contrast->opponent)
      .set("description", describe_arm(result, contrast->opponent));
}

std::string time_text(const JobResult& result, std::string_view label, std::string_view shape) {
  for (const ArmTime& each : result.times) {
    if (each.label == label && each.shape == shape && each.cache == "cold") {
      return format_duration_ns(each.median_ns);
    }
  }
  return "-";
}

std::string_view slower_text(const Interval& ratio) {
  if (ratio.high < 1) return "  SLOWER";
  return ratio.point < 1 ? "  perhaps slower" : "";
}

std::string timing_text(const JobResult& result, const Contrast& contrast) {
  std::string text = fmt::format("opponent   {} ({})\n", contrast.opponent,
                                 describe_arm(result, contrast.opponent));
  const bool undecided = contrast.comparison == Comparison::kNoVerdict;
  text +=
      fmt::format("ratio      {}: {} ({} trials, cold cache)\n", ratio_text(contrast.ratio),
                  undecided ? "undecided whether the kernel is faster"
                            : fmt::format("the kernel {} it", comparison_verb(contrast.comparison)),
                  contrast.trials);
  if (!contrast.reason.empty()) text += fmt::format("           {}\n", contrast.reason);
  text += fmt::format("  {:<20} {:>10} {:>10}  {}\n", "shape", "opponent", "kernel", "ratio");
  for (const ShapeRatio& each : contrast.shapes) {
    text += fmt::format("  {:<20} {:>10} {:>10}  {}{}\n", each.shape,
                        time_text(result, contrast.opponent, each.shape),
                        time_text(result, kCandidateArm, each.shape), ratio_text(each.ratio),
                        slower_text(each.ratio));
  }
  return text;
}

}  // namespace

const Contrast* headline(const JudgeResult& judged) {
  return std::holds_alternative<Passed>(judged.outcome) ? hardest_reference(judged) : nullptr;
}

namespace {

const CandidateOutcome& outcome_of(const JobResult& result) {
  const auto* planned = std::get_if<PlanResult>(&result.body);
  return planned != nullptr ? planned->outcome : std::get<JudgeResult>(result.body).outcome;
}

Json plan_json(const PlanResult& planned) {
  Json checked = Json::array();
  for (const std::string& each : planned.checked) checked.push_back(each);
  Json metrics = Json::object();
  for (const auto& [name, value] : planned.metrics) metrics.set(name, value);
  return Json::object()
      .set("device", planned.device)
      .set("digest", planned.plan_digest)
      .set("checked", std::move(checked))
      .set("metrics", std::move(metrics))
      .set("text", planned.explanation);
}

// A kernel that was planned and not run.
Json planned_json(const JobResult& result, const PlanResult& planned) {
  Json json = Json::object();
  json.set("verdict", verdict_name(planned.outcome));
  json.set("reason", explain(planned.outcome));
  json.set("ratio", Json());
  json.set("shapes", Json::array());
  json.set("comparison", Json());
  json.set("opponent", Json());
  json.set("times", times_json(result));
  json.set("plan", planned.plan_digest.empty() ? Json() : plan_json(planned));
  return json;
}

}  // namespace

std::string explanation_text(const JobResult& result) {
  const auto* planned = std::get_if<PlanResult>(&result.body);
  if (planned == nullptr) return "plan       none: only CUDA kernels have launch plans\n";
  if (planned->plan_digest.empty()) return "plan       none: see the reason\n";
  return fmt::format("plan       {}\n{}", planned->plan_digest.substr(0, 12), planned->explanation);
}

Json judgement_json(const JobResult& result) {
  if (const auto* planned = std::get_if<PlanResult>(&result.body)) {
    return planned_json(result, *planned);
  }
  const auto& judged = std::get<JudgeResult>(result.body);
  const Contrast* contrast = headline(judged);
  Json json = Json::object();
  json.set("verdict", verdict_name(judged.outcome));
  json.set("reason", reason_of(judged));
  json.set("ratio", contrast == nullptr ? Json() : ratio_json(contrast->ratio));
  json.set("shapes", shapes_json(contrast));
  json.set("comparison",
           contrast == nullptr ? Json() : Json(comparison_name(contrast->comparison)));
  json.set("opponent", opponent_json(result, contrast));
  json.set("others", others_json(result, judged));
  json.set("times", times_json(result));
  json.set("plan", Json());
  return json;
}

std::string judgement_text(const JobResult& result) {
  const CandidateOutcome& outcome = outcome_of(result);
  std::string text = fmt::format("verdict    {}\n", verdict_name(outcome));
  const std::string reason = explain(outcome);
  if (!reason.empty()) text += fmt::format("reason     {}\n", printable(reason));
  if (std::holds_alternative<PlanResult>(result.body)) return text;
  const auto& judged = std::get<JudgeResult>(result.body);
  if (judged.checked_cases > 0) {
    text += fmt::format("checked    {} cases, {} timed calls\n", judged.checked_cases,
                        judged.timed_calls);
  }
  const Contrast* contrast = headline(judged);
  if (contrast == nullptr) return text;
  text += timing_text(result, *contrast);
  for (const Contrast* each : other_contrasts(judged)) {
    text += fmt::format("beside     {} ({}): {}\n", each->opponent,
                        describe_arm(result, each->opponent), ratio_text(each->ratio));
  }
  return text;
}

}  // namespace forge
