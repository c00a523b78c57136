#include "run/plan.h"

#include <fmt/format.h>

namespace forge {
namespace {

bool round_reached_goal(const State& state, const ProblemFacts& facts) {
  const auto* best = state.best();
  return best != nullptr && best->judged->vs_reference &&
         goal_is_met(*best->judged->vs_reference, facts.goal_ratio);
}

double forge_seconds(const State& state, double elapsed_s) {
  return elapsed_s - state.forge_began_s.value_or(elapsed_s);
}

std::optional<ForgeEnded> spent_budget(const State& state, const ProblemFacts& facts,
                                       double elapsed_s) {
  if (forge_seconds(state, elapsed_s) >= facts.hours * 3600) {
    return ForgeEnded{ForgeEnd::kHoursSpent, fmt::format("{:g} hours are spent", facts.hours)};
  }
  const auto tokens = state.usage.input_tokens + state.usage.output_tokens;
  if (facts.tokens > 0 && tokens >= facts.tokens) {
    return ForgeEnded{ForgeEnd::kTokensSpent, fmt::format("{} tokens are spent", tokens)};
  }
  if (facts.cost > 0 && state.usage.cost >= facts.cost) {
    return ForgeEnded{ForgeEnd::kTokensSpent, fmt::format("{:g} are spent", state.usage.cost)};
  }
  return std::nullopt;
}

Action hand_back(const State& state, const ProblemFacts& facts, Trigger trigger,
                 std::string detail) {
  if (!state.goal_refuted && round_reached_goal(state, facts)) {
    return Record{ForgeEnded{ForgeEnd::kGoalReached, std::move(detail)}};
  }
  if (state.meta_entries >= facts.max_meta) {
    return Record{ForgeEnded{ForgeEnd::kMetaSpent,
                             fmt::format("the teacher entered {} times", state.meta_entries)}};
  }
  return Record{TeacherEntered{trigger, std::move(detail)}};
}

Action next_in_milestone(const State& state, const ProblemFacts& facts,
                         const MilestoneState& milestone) {
  const auto& outline = milestone.outline;
  for (const auto& row : outline.rows) {
    if (milestone.closed_rows.contains(row)) continue;
    if (state.failed_turns >= kMaxFailedTurns) {
      return Record{RowClosed{outline.id, row, "the agent failed repeatedly", {}}};
    }
    return TakeStudentTurn{outline.id, row, static_cast<int>(state.rounds.size()) + 1,
                           state.jobs + 1, state.turns + 1};
  }
  for (const auto& gate : outline.gates) {
    const auto* evaluated = milestone.gate(gate);
    if (evaluated == nullptr) return EvaluateGate{outline.id, gate};
    if (evaluated->outcome == GateOutcome::kFailed) {
      return hand_back(state, facts, Trigger::kGateFailed,
                       fmt::format("{}: {} ({})", outline.id, gate, evaluated->detail));
    }
  }
  return Record{MilestoneClosed{outline.id}};
}

Action teacher_turn(const State& state) {
  if (state.failed_turns >= kMaxFailedTurns) {
    return Record{ForgeEnded{ForgeEnd::kAgentFailed, "the teacher failed repeatedly"}};
  }
  return TakeTeacherTurn{state.version + 1, state.turns + 1};
}

// A sweep begins when a kernel with values to choose has become the best, since time spent on
// values of any other kernel is time lost.
std::optional<Action> next_of_sweep(const State& state, const ProblemFacts& facts,
                                    double elapsed_s) {
  const auto* best = state.best();
  if (best == nullptr || best->started.space.empty()) return std::nullopt;
  const auto* sweep = state.sweep(best->started.space);
  if (sweep == nullptr || !sweep->ended) {
    const bool spent = forge_seconds(state, elapsed_s) >= kSweepShare * facts.hours * 3600;
    return SweepTunables{state.jobs + 1, spent ? SweepBudget::kSpent : SweepBudget::kOpen};
  }
  // What is found before there are milestones is for the teacher, who makes rows of it.
  const bool advises = state.version > 0 && sweep->began_in_version > 0 &&
                       sweep->ended->advised != best->started.settings;
  if (!advises || sweep->tried || state.head != best->started.commit) return std::nullopt;
  return OpenSweepRound{static_cast<int>(state.rounds.size()) + 1, state.jobs + 1};
}

Action next_in_forge(const State& state, const ProblemFacts& facts, double elapsed_s) {
  if (state.rounds.empty()) return OpenStartRound{1, state.jobs + 1};
  if (auto spent = spent_budget(state, facts, elapsed_s)) return Record{std::move(*spent)};
  if (auto sweep = next_of_sweep(state, facts, elapsed_s)) return std::move(*sweep);
  if (state.version == 0 || state.teacher_pending) return teacher_turn(state);
  const auto* milestone = state.current_milestone();
  if (milestone == nullptr) {
    return hand_back(state, facts, Trigger::kRowsDone, "every row is closed");
  }
  if (facts.patience > 0 && state.rounds_without_best >= facts.patience) {
    return hand_back(state, facts, Trigger::kPatience,
                     fmt::format("{} rounds without a new best", state.rounds_without_best));
  }
  return next_in_milestone(state, facts, *milestone);
}

Finished finish(const State& state) {
  const auto* confirmed = state.confirmation();
  if (state.best() == nullptr) {
    return {Ending::kNoKernel, "no candidate is both correct and measured"};
  }
  if (confirmed == nullptr || confirmed->verdict != Verdict::kPassed) {
    return {Ending::kUnconfirmed,
            confirmed == nullptr ? "there are no unused seeds left" : confirmed->reason};
  }
  const auto why =
      fmt::format("{}: {}", forge_end_text(state.forge_ended->why), state.forge_ended->detail);
  return {confirmed->goal_met ? Ending::kGoalConfirmed : Ending::kBelowGoal, why};
}

Action next_in_confirm(const State& state) {
  const auto* best = state.best();
  const bool may_confirm = static_cast<int>(state.confirmations.size()) < kMaxConfirmations;
  if (best != nullptr && state.confirmation() == nullptr && may_confirm) {
    return ConfirmBest{best->started.round, state.jobs + 1};
  }
  return Record{finish(state)};
}

}  // namespace

Action next(const State& state, const ProblemFacts& facts, double elapsed_s) {
  if (state.finished) return Stop{*state.finished};
  if (!state.prepared) return PrepareTree{};
  if (!state.judge) return AlignJudge{state.jobs + 1};
  if (!state.baseline) return MeasureBaseline{state.jobs + 1};
  if (!state.scouted) return ScoutReference{};
  if (const auto* open = state.open_round()) return RunRoundJob{open->started.round};
  if (state.rollback_pending) return RollBack{*state.rollback_pending};
  if (state.forge_ended) return next_in_confirm(state);
  return next_in_forge(state, facts, elapsed_s);
}

}  // namespace forge
