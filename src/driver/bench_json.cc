#include "driver/bench_json.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "student/verdict.h"
#include "worker/job.h"

namespace forge {
namespace {

const Confirmed* passed_confirmation(const State& state) {
  const Confirmed* confirmed = state.confirmation();
  return confirmed != nullptr && confirmed->verdict == Verdict::kPassed ? confirmed : nullptr;
}

Json ratio_json(const Interval& ratio) {
  return Json::object().set("point", ratio.point).set("low", ratio.low).set("high", ratio.high);
}

// A round's interval is at the level of the look at which it stopped.
Json alpha_json(const State& state, int trials) {
  const TimingPlan plan;
  if (passed_confirmation(state) != nullptr) return plan.confirm_alpha;
  for (std::size_t i = 0; i < plan.looks.looks.size(); ++i) {
    if (plan.looks.looks[i] == trials) return plan.looks.alpha[i];
  }
  return {};
}

Json time_json(const JobResult& result, std::string_view label, std::string_view shape) {
  for (const ArmTime& time : result.times) {
    if (time.label == label && time.shape == shape && time.cache == "cold") return time.median_ns;
  }
  return {};
}

bool is_hidden(const Problem& problem, const std::string& shape) {
  return std::any_of(problem.hidden_shapes.begin(), problem.hidden_shapes.end(),
                     [&](const ShapeSpec& each) { return each.name == shape; });
}

Json shapes_json(const BenchSource& source, const Contrast* contrast) {
  Json shapes = Json::array();
  if (contrast == nullptr) return shapes;
  for (const ShapeRatio& each : contrast->shapes) {
    Json shape = Json::object();
    shape.set("shape", each.shape);
    shape.set("hidden", is_hidden(source.problem, each.shape));
    shape.set("reference_ns", time_json(source.result, contrast->opponent, each.shape));
    shape.set("best_ns", time_json(source.result, kCandidateArm, each.shape));
    shape.set("ratio", ratio_json(each.ratio));
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

Json machine_json(const Json& result) {
  const Json* machine = result.find("machine");
  return machine == nullptr ? Json::object() : *machine;
}

// When the event came that holds these numbers.
std::string date_of(const BenchSource& source) {
  const Confirmed* confirmed = passed_confirmation(source.state);
  for (const JournalEntry& entry : source.journal.entries) {
    const auto* judged = std::get_if<RoundJudged>(&entry.event);
    const auto* confirms = std::get_if<Confirmed>(&entry.event);
    const bool is_it =
        confirmed != nullptr
            ? confirms != nullptr && confirms->job == confirmed->job
            : judged != nullptr && judged->round == source.state.best()->started.round;
    if (is_it) return entry.at;
  }
  return "";
}

std::string description_of(const JobResult& result, const std::string& label) {
  for (const ArmFacts& arm : result.arms) {
    if (arm.label == label) return arm.description;
  }
  return "";
}

}  // namespace

Json bench_json(const BenchSource& source) {
  const State& state = source.state;
  const RoundStarted& best = state.best()->started;
  const std::string& opponent = opponent_to_beat(state);
  const auto* judged = std::get_if<JudgeResult>(&source.result.body);
  const Contrast* contrast = judged == nullptr ? nullptr : cold_contrast(*judged, opponent);
  Json json = Json::object();
  json.set("format", 1);
  json.set("problem", source.problem.name);
  json.set("target", target_name(source.problem.target));
  json.set("opponent", Json::object()
                           .set("label", opponent)
                           .set("description", description_of(source.result, opponent)));
  Json ratio;
  if (contrast != nullptr) {
    ratio = ratio_json(contrast->ratio);
    ratio.set("alpha", alpha_json(state, contrast->trials));
  }
  json.set("ratio", std::move(ratio));
  json.set("comparison",
           contrast == nullptr ? Json() : Json(comparison_name(contrast->comparison)));
  json.set("trials", contrast == nullptr ? 0 : contrast->trials);
  json.set("measured_by", passed_confirmation(state) != nullptr ? "confirmation" : "round");
  json.set("shapes", shapes_json(source, contrast));
  json.set("machine", machine_json(source.result_json));
  json.set("kernel_digest", best.source);
  json.set("round", best.round);
  json.set("commit", best.commit);
  json.set("date", date_of(source));
  json.set("result", source.result_json);
  return json;
}

}  // namespace forge
