#include "run/names.h"

#include <array>
#include <span>
#include <utility>

#include "base/error.h"

namespace forge {
namespace {

template <typename E>
using Names = std::span<const std::pair<E, std::string_view>>;

template <typename E>
std::string_view text_of(Names<E> names, E value) {
  for (const auto& [candidate, text] : names) {
    if (candidate == value) return text;
  }
  FORGE_CHECK(!"every value of an enumeration has a name");
  return {};
}

template <typename E>
std::optional<E> value_of(Names<E> names, std::string_view text) {
  for (const auto& [value, candidate] : names) {
    if (candidate == text) return value;
  }
  return std::nullopt;
}

template <typename E>
using Entry = std::pair<E, std::string_view>;

constexpr std::array<Entry<Verdict>, 8> kVerdicts{{
    {Verdict::kPassed, "passed"},
    {Verdict::kWrong, "wrong"},
    {Verdict::kRefused, "refused"},
    {Verdict::kCompileError, "compile_error"},
    {Verdict::kLaunchError, "launch_error"},
    {Verdict::kCrash, "crash"},
    {Verdict::kTimeout, "timeout"},
    {Verdict::kNoVerdict, "no_verdict"},
}};

constexpr std::array<Entry<Trigger>, 3> kTriggers{{
    {Trigger::kPatience, "patience"},
    {Trigger::kRowsDone, "rows_done"},
    {Trigger::kGateFailed, "gate_failed"},
}};

constexpr std::array<Entry<GateOutcome>, 3> kGateOutcomes{{
    {GateOutcome::kPassed, "passed"},
    {GateOutcome::kFailed, "failed"},
    {GateOutcome::kNotEvaluated, "not_evaluated"},
}};

constexpr std::array<Entry<ForgeEnd>, 6> kForgeEnds{{
    {ForgeEnd::kGoalReached, "goal_reached"},
    {ForgeEnd::kHoursSpent, "hours_spent"},
    {ForgeEnd::kTokensSpent, "tokens_spent"},
    {ForgeEnd::kMetaSpent, "meta_spent"},
    {ForgeEnd::kNothingLeft, "nothing_left"},
    {ForgeEnd::kAgentFailed, "agent_failed"},
}};

constexpr std::array<Entry<Ending>, 4> kEndings{{
    {Ending::kGoalConfirmed, "goal_confirmed"},
    {Ending::kBelowGoal, "below_goal"},
    {Ending::kUnconfirmed, "unconfirmed"},
    {Ending::kNoKernel, "no_kernel"},
}};

constexpr std::array<Entry<Stage>, 8> kStages{{
    {Stage::kPrepare, "prepare"},
    {Stage::kJudge, "judge"},
    {Stage::kBaseline, "baseline"},
    {Stage::kScout, "scout"},
    {Stage::kDistil, "distil"},
    {Stage::kForge, "forge"},
    {Stage::kConfirm, "confirm"},
    {Stage::kDone, "done"},
}};

}  // namespace

std::string_view verdict_text(Verdict verdict) { return text_of<Verdict>(kVerdicts, verdict); }
std::optional<Verdict> parse_verdict(std::string_view text) {
  return value_of<Verdict>(kVerdicts, text);
}

std::string_view trigger_text(Trigger trigger) { return text_of<Trigger>(kTriggers, trigger); }
std::optional<Trigger> parse_trigger(std::string_view text) {
  return value_of<Trigger>(kTriggers, text);
}

std::string_view gate_outcome_text(GateOutcome outcome) {
  return text_of<GateOutcome>(kGateOutcomes, outcome);
}
std::optional<GateOutcome> parse_gate_outcome(std::string_view text) {
  return value_of<GateOutcome>(kGateOutcomes, text);
}

std::string_view forge_end_text(ForgeEnd end) { return text_of<ForgeEnd>(kForgeEnds, end); }
std::optional<ForgeEnd> parse_forge_end(std::string_view text) {
  return value_of<ForgeEnd>(kForgeEnds, text);
}

std::string_view ending_text(Ending ending) { return text_of<Ending>(kEndings, ending); }
std::optional<Ending> parse_ending(std::string_view text) {
  return value_of<Ending>(kEndings, text);
}

std::string_view stage_text(Stage stage) { return text_of<Stage>(kStages, stage); }

}  // namespace forge
