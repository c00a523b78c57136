#include "teacher/gates.h"

#include <fmt/format.h>

namespace forge {
namespace {

struct Finding {
  GateOutcome outcome = GateOutcome::kNotEvaluated;
  std::string detail;
};

Finding evaluate(const State& state, const CorrectGate&) {
  const auto* best = state.best();
  if (best == nullptr) return {GateOutcome::kFailed, "no candidate is correct"};
  return {GateOutcome::kPassed, fmt::format("round {} is correct", best->started.round)};
}

Finding evaluate(const State& state, const RatioGate& gate) {
  const auto* best = state.best();
  if (best == nullptr) return {GateOutcome::kFailed, "no candidate is correct"};
  if (!best->judged->vs_reference) return {GateOutcome::kNotEvaluated, "the best was not timed"};
  const double point = best->judged->vs_reference->ratio.point;
  return {point >= gate.minimum ? GateOutcome::kPassed : GateOutcome::kFailed,
          fmt::format("reference over best is {:.3f}", point)};
}

// A candidate becomes best only by beating the best before it, so the chain that begins with the
// start kernel can't be slower than it.
Finding evaluate(const State& state, const NotSlowerGate&) {
  const auto* start = state.round(1);
  if (start == nullptr || start->started.row != kStartRow || !start->judged) {
    return {GateOutcome::kNotEvaluated, "the start kernel was not measured"};
  }
  if (start->judged->verdict == Verdict::kNoVerdict) {
    return {GateOutcome::kNotEvaluated, "the start kernel has no verdict"};
  }
  if (start->judged->verdict != Verdict::kPassed) {
    return {GateOutcome::kPassed, "the start kernel itself is not correct"};
  }
  return {GateOutcome::kPassed, fmt::format("round {} is the best, and the start kernel was the "
                                            "first to beat",
                                            state.bests.back())};
}

Finding evaluate(const State&, const MechanismGate& gate) {
  return {GateOutcome::kNotEvaluated, fmt::format("{} is not measured here", gate.metric)};
}

}  // namespace

GateEvaluated evaluate_gate(const State& state, std::string_view milestone, const Gate& gate) {
  auto finding = std::visit([&](const auto& kind) { return evaluate(state, kind); }, gate);
  return {std::string(milestone), gate_text(gate), finding.outcome, std::move(finding.detail)};
}

}  // namespace forge
