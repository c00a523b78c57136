#include "student/verdict.h"

#include "base/text.h"

namespace forge {
namespace {

// A journal line is read by people too.
constexpr std::size_t kMaxReasonBytes = 4000;

// The latest round before `round` that was judged on its own evidence and that `same` picks.
template <typename Same>
const RoundJudged* earlier_verdict(const State& state, const RoundStarted& round, Same same) {
  for (auto it = state.rounds.rbegin(); it != state.rounds.rend(); ++it) {
    const bool has_evidence =
        it->started.round < round.round && it->judged && it->judged->verdict != Verdict::kNoVerdict;
    if (has_evidence && same(*it)) return &*it->judged;
  }
  return nullptr;
}

RoundJudged reuse(const RoundJudged& earlier, const RoundStarted& round) {
  RoundJudged judged = earlier;
  judged.round = round.round;
  judged.is_best = false;
  judged.reused_from = earlier.reused_from > 0 ? earlier.reused_from : earlier.round;
  return judged;
}

std::string artefact_of(const JobResult& result) {
  for (const auto& arm : result.arms) {
    if (arm.label == kCandidateArm) return arm.artefact_digest;
  }
  return {};
}

}  // namespace

Verdict verdict_of(const CandidateOutcome& outcome) {
  const auto verdict = parse_verdict(verdict_name(outcome));
  FORGE_CHECK(verdict.has_value());
  return *verdict;
}

const Contrast* cold_contrast(const JudgeResult& result, std::string_view opponent) {
  for (const Contrast& contrast : result.contrasts) {
    if (contrast.opponent == opponent && contrast.cache == "cold") return &contrast;
  }
  return nullptr;
}

std::optional<MeasuredRatio> measured_ratio(const JudgeResult& result, std::string_view opponent) {
  const Contrast* contrast = cold_contrast(result, opponent);
  if (contrast == nullptr) return std::nullopt;
  return MeasuredRatio{contrast->ratio, contrast->comparison, contrast->trials};
}

const Contrast* hardest_reference(const JudgeResult& result) {
  const Contrast* hardest = nullptr;
  for (const auto& contrast : result.contrasts) {
    if (contrast.opponent == kIncumbentArm || contrast.cache != "cold") continue;
    if (hardest == nullptr || contrast.ratio.point < hardest->ratio.point) hardest = &contrast;
  }
  return hardest;
}

RoundJudged judge_round(const State& state, const RoundStarted& round, const JobResult& result) {
  const auto* body = std::get_if<JudgeResult>(&result.body);
  if (body == nullptr) return no_verdict(round, "the job's result is of another kind");

  RoundJudged judged;
  judged.round = round.round;
  judged.verdict = verdict_of(body->outcome);
  judged.reason = clip(explain(body->outcome), kMaxReasonBytes);
  judged.artefact = artefact_of(result);
  const auto same_artefact = [&](const Round& other) {
    return !judged.artefact.empty() && other.judged->artefact == judged.artefact;
  };
  if (const auto* earlier = earlier_verdict(state, round, same_artefact)) {
    return reuse(*earlier, round);
  }
  if (judged.verdict != Verdict::kPassed) return judged;
  if (state.baseline) judged.vs_reference = measured_ratio(*body, opponent_to_beat(state));
  judged.vs_incumbent = measured_ratio(*body, kIncumbentArm);
  judged.is_best = state.best() == nullptr ||
                   (judged.vs_incumbent && judged.vs_incumbent->comparison == Comparison::kFaster);
  return judged;
}

std::optional<RoundJudged> reused_verdict(const State& state, const RoundStarted& round) {
  const auto same_source = [&](const Round& other) { return other.started.source == round.source; };
  const auto* earlier = earlier_verdict(state, round, same_source);
  if (earlier == nullptr) return std::nullopt;
  return reuse(*earlier, round);
}

RoundJudged no_verdict(const RoundStarted& round, std::string reason) {
  RoundJudged judged;
  judged.round = round.round;
  judged.verdict = Verdict::kNoVerdict;
  judged.reason = clip(reason, kMaxReasonBytes);
  return judged;
}

bool should_retry(const Result<JobResult>& result) {
  if (!result) return result.error().kind == ErrorKind::kInfrastructure;
  const auto* body = std::get_if<JudgeResult>(&result->body);
  return body != nullptr && std::holds_alternative<NoVerdict>(body->outcome);
}

}  // namespace forge
