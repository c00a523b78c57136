// The closed sets of the journal and their spelling. Pure. May know: base.
#pragma once

#include <optional>
#include <string_view>

namespace forge {

// The row of the round that measures the start kernel unchanged.
inline constexpr std::string_view kStartRow = "start";
// Of rounds that take what a sweep of the kernel's values advises.
inline constexpr std::string_view kSweepRow = "sweep";

// What became of a candidate, without its details.
enum class Verdict {
  kPassed,
  kWrong,
  kRefused,
  kCompileError,
  kLaunchError,
  kCrash,
  kTimeout,
  kNoVerdict,
};
std::string_view verdict_text(Verdict verdict);  // "passed", …, as in JSON outputs
std::optional<Verdict> parse_verdict(std::string_view text);

// Why the inner loop handed back to the teacher.
enum class Trigger { kPatience, kRowsDone, kGateFailed };
std::string_view trigger_text(Trigger trigger);
std::optional<Trigger> parse_trigger(std::string_view text);

enum class GateOutcome { kPassed, kFailed, kNotEvaluated };
std::string_view gate_outcome_text(GateOutcome outcome);
std::optional<GateOutcome> parse_gate_outcome(std::string_view text);

// Why the two loops ended.
enum class ForgeEnd {
  kGoalReached,
  kHoursSpent,
  kTokensSpent,
  kMetaSpent,
  kNothingLeft,
  kAgentFailed
};
std::string_view forge_end_text(ForgeEnd end);
std::optional<ForgeEnd> parse_forge_end(std::string_view text);

// How a run ended: only kGoalConfirmed is a success.
enum class Ending { kGoalConfirmed, kBelowGoal, kUnconfirmed, kNoKernel };
std::string_view ending_text(Ending ending);
std::optional<Ending> parse_ending(std::string_view text);

// In the order in which a run goes through them.
enum class Stage { kPrepare, kJudge, kBaseline, kScout, kDistil, kForge, kConfirm, kDone };
std::string_view stage_text(Stage stage);

}  // namespace forge
