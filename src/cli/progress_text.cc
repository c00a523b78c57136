#include "cli/progress_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/text.h"
#include "report/model.h"

namespace forge {
namespace {

constexpr std::size_t kMostReasonBytes = 160;

using Line = std::optional<std::string>;

std::string line(const State& state, Stage stage, std::string_view text) {
  return fmt::format("{:>7}  {:<9} {}", format_elapsed(state.elapsed_s), stage_text(stage), text);
}

std::string counted(std::size_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

std::string first_line(std::string_view text) {
  return clip(text.substr(0, text.find('\n')), kMostReasonBytes);
}

std::string times_text(const std::vector<ShapeTime>& times) {
  std::vector<std::string> parts;
  for (const ShapeTime& each : times) {
    parts.push_back(fmt::format("{} {}", each.shape, format_duration_ns(each.median_ns)));
  }
  return join(parts, ", ");
}

std::string milestones_text(const MilestonesWritten& event) {
  if (event.milestones.empty()) return "there is nothing to decide: the start kernel as it came";
  std::vector<std::string> parts;
  for (const MilestoneOutline& each : event.milestones) {
    parts.push_back(fmt::format("{} ({})", each.id, counted(each.rows.size(), "row")));
  }
  return fmt::format("milestones v{}: {}", event.version, join(parts, ", "));
}

std::string note_of(const RoundJudged& judged) {
  if (judged.is_best) return "new best";
  std::string note = is_unusable(judged.verdict) ? "rolled back" : "kept";
  if (judged.reused_from > 0) note += fmt::format(", as round {}", judged.reused_from);
  if (!judged.reason.empty()) note += ": " + first_line(judged.reason);
  return note;
}

std::string round_text(const RoundJudged& judged, const RoundStarted& started) {
  const std::string ratio = judged.vs_reference ? ratio_text(judged.vs_reference->ratio) : "-";
  return fmt::format("round {:>2}  {:<6} {:<30} {:<7} {:<22} {}", judged.round, started.row,
                     clip(started.tried, 60), verdict_text(judged.verdict), ratio, note_of(judged));
}

std::string best_text(const State& state) {
  const Round* best = state.best();
  if (best == nullptr) return "no best yet";
  const auto& measured = best->judged->vs_reference;
  return fmt::format("best {}round {}", measured ? ratio_text(measured->ratio) + ", " : "",
                     best->started.round);
}

std::string confirmed_text(const Confirmed& event, const State& state) {
  std::string text = fmt::format("round {}: {}", event.round, verdict_text(event.verdict));
  if (const auto* versus = hardest(event)) {
    text += fmt::format(", {} in {} new trials", ratio_text(versus->measured.ratio),
                        versus->measured.trials);
    if (state.baseline && versus->opponent != state.baseline->opponent) {
      text += fmt::format(" against {}, which is the fastest now", versus->opponent);
    }
  }
  if (!event.reason.empty()) return text + ": " + first_line(event.reason);
  return text + (event.goal_met ? ", goal reached" : ", goal not reached");
}

struct LineOf {
  const State& state;

  Line operator()(const Prepared&) const {
    return line(state, Stage::kPrepare, "the operator tree holds the start kernel");
  }
  Line operator()(const JudgeFrozen& event) const {
    return line(state, Stage::kJudge,
                fmt::format("oracle ({}) and reference agree; the judge is admitted and frozen",
                            event.oracle));
  }
  Line operator()(const BaselineMeasured& event) const {
    return line(state, Stage::kBaseline,
                fmt::format("{} ({}): {}; noise floor {:.1f} %", event.opponent, event.description,
                            times_text(event.times), 100 * event.noise_floor));
  }
  Line operator()(const Scouted&) const {
    return line(state, Stage::kScout, "reference and start kernel are described for the teacher");
  }
  Line operator()(const MilestonesWritten& event) const {
    return line(state, event.version == 1 ? Stage::kDistil : Stage::kForge, milestones_text(event));
  }
  Line operator()(const RoundJudged& event) const {
    return line(state, Stage::kForge, round_text(event, state.round(event.round)->started));
  }
  Line operator()(const SweepEnded& event) const {
    const Sweep* sweep = state.sweep(event.space);
    return line(state, Stage::kForge,
                fmt::format("swept {} combinations of values: {:.2f} times as fast is expected; {}",
                            sweep == nullptr ? 0 : sweep->combinations(), event.gain,
                            first_line(event.why)));
  }
  Line operator()(const TeacherEntered& event) const {
    return line(state, Stage::kForge,
                fmt::format("back to the teacher: {}", first_line(event.detail)));
  }
  Line operator()(const TurnFailedEvent& event) const {
    return line(state, Stage::kForge,
                fmt::format("the {}'s turn failed: {}", event.role, first_line(event.turn.note)));
  }
  Line operator()(const ForgeEnded& event) const {
    return line(
        state, Stage::kForge,
        fmt::format("ended, {}: {}; {}, {}", forge_end_text(event.why), first_line(event.detail),
                    counted(state.rounds.size(), "round"), best_text(state)));
  }
  Line operator()(const Confirmed& event) const {
    return line(state, Stage::kConfirm, confirmed_text(event, state));
  }
  // Said by the lines above, or by the summary.
  Line operator()(const RunCreated&) const { return std::nullopt; }
  Line operator()(const RoundStarted&) const { return std::nullopt; }
  Line operator()(const Swept&) const { return std::nullopt; }
  Line operator()(const RolledBack&) const { return std::nullopt; }
  Line operator()(const RowClosed&) const { return std::nullopt; }
  Line operator()(const GateEvaluated&) const { return std::nullopt; }
  Line operator()(const MilestoneClosed&) const { return std::nullopt; }
  Line operator()(const Finished&) const { return std::nullopt; }
};

}  // namespace

std::optional<std::string> event_line(const Event& event, const State& state) {
  return std::visit(LineOf{state}, event);
}

std::optional<std::string> resumed_line(const State& state) {
  if (state.events <= 1 || state.finished) return std::nullopt;
  return line(state, state.stage(),
              fmt::format("going on where it stopped: {}, {}",
                          counted(state.rounds.size(), "round"), best_text(state)));
}

std::string live_clock(const ProgressSnapshot& now) {
  return fmt::format("{:>7}", format_elapsed(now.elapsed_s));
}

std::string live_text(const ProgressSnapshot& now) {
  return fmt::format("{:<9} {}", stage_text(now.stage), now.doing);
}

std::string live_detail(const ProgressSnapshot& now) {
  std::vector<std::string> parts;
  if (!now.milestone.empty()) parts.push_back(now.milestone);
  if (now.round > 0) parts.push_back(fmt::format("round {}, row {}", now.round, now.row));
  parts.push_back(now.best_ratio ? "best " + ratio_text(*now.best_ratio) : "no best yet");
  if (!now.last_verdict.empty()) parts.push_back("last " + now.last_verdict);
  if (now.stage == Stage::kForge && now.budget_left_s) {
    parts.push_back(
        fmt::format("at most {} left", format_elapsed(std::max(0.0, *now.budget_left_s))));
  }
  return "         " + join(parts, " | ");
}

}  // namespace forge
