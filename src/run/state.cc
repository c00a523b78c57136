#include "run/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace forge {
namespace {

// Folds one event. Its overloads return what contradicts the state, or an empty string.
class Folder {
 public:
  Folder(State& state, double elapsed_s) : state_(state), elapsed_s_(elapsed_s) {}

  std::string operator()(const RunCreated& event) { return set_once(state_.created, event); }

  std::string operator()(const Prepared& event) {
    state_.head = event.commit;
    return set_once(state_.prepared, event);
  }

  std::string operator()(const JudgeFrozen& event) {
    use_job(event.job);
    return set_once(state_.judge, event);
  }

  std::string operator()(const BaselineMeasured& event) {
    use_job(event.job);
    return set_once(state_.baseline, event);
  }

  std::string operator()(const Scouted& event) { return set_once(state_.scouted, event); }

  std::string operator()(const MilestonesWritten& event) {
    if (event.version != state_.version + 1) {
      return fmt::format("milestones v{} follow v{}", event.version, state_.version);
    }
    state_.version = event.version;
    replace_milestones(event.milestones);
    state_.teacher_pending.reset();
    state_.rounds_without_best = 0;
    if (!state_.forge_began_s) state_.forge_began_s = elapsed_s_;
    return take(event.turn);
  }

  std::string operator()(const RoundStarted& event) {
    if (state_.open_round() != nullptr) return "a round starts while another one is open";
    if (event.round != static_cast<int>(state_.rounds.size()) + 1) {
      return fmt::format("round {} follows round {}", event.round, state_.rounds.size());
    }
    state_.rounds.push_back({event, std::nullopt});
    state_.head = event.commit;
    if (!state_.forge_began_s) state_.forge_began_s = elapsed_s_;
    if (event.row == kSweepRow) {
      Sweep* sweep = find_sweep(event.space);
      if (sweep == nullptr) return "a round takes what no sweep advised";
      sweep->tried = true;
    }
    use_job(event.job);
    return take(event.turn);
  }

  std::string operator()(const RoundJudged& event) {
    const auto* open = state_.open_round();
    if (open == nullptr || open->started.round != event.round) {
      return fmt::format("round {} is judged, but it is not open", event.round);
    }
    if (is_unusable(event.verdict) && !open->started.parent.empty()) {
      state_.rollback_pending = event.round;
    }
    state_.rounds.back().judged = event;
    if (event.is_best) state_.bests.push_back(event.round);
    state_.rounds_without_best = event.is_best ? 0 : state_.rounds_without_best + 1;
    return {};
  }

  std::string operator()(const Swept& event) {
    Sweep* sweep = find_sweep(event.space);
    if (sweep == nullptr) {
      sweep = &begin_sweep(event.space);
      sweep->origin = event.origin;
    }
    if (sweep->ended || sweep->origin != event.origin) return "a sweep goes on that can't";
    for (const Observation& each : event.observations) sweep->observations.push_back(each);
    ++sweep->jobs;
    use_job(event.job);
    return {};
  }

  std::string operator()(const SweepEnded& event) {
    Sweep* sweep = find_sweep(event.space);
    if (sweep == nullptr) sweep = &begin_sweep(event.space);
    if (sweep->ended) return "a sweep ends twice";
    sweep->ended = event;
    return {};
  }

  std::string operator()(const RolledBack& event) {
    if (state_.rollback_pending != event.round) {
      return fmt::format("round {} is rolled back, but it does not have to be", event.round);
    }
    state_.rollback_pending.reset();
    state_.head = event.commit;
    return {};
  }

  std::string operator()(const RowClosed& event) {
    auto* milestone = find(event.milestone);
    if (milestone == nullptr) return unknown_milestone(event.milestone);
    milestone->closed_rows[event.row] = event.reason;
    state_.failed_turns = 0;
    state_.failure.clear();
    return take(event.turn);
  }

  std::string operator()(const GateEvaluated& event) {
    auto* milestone = find(event.milestone);
    if (milestone == nullptr) return unknown_milestone(event.milestone);
    milestone->gates.push_back(event);
    return {};
  }

  std::string operator()(const MilestoneClosed& event) {
    auto* milestone = find(event.milestone);
    if (milestone == nullptr) return unknown_milestone(event.milestone);
    milestone->closed = true;
    return {};
  }

  std::string operator()(const TeacherEntered& event) {
    state_.teacher_pending = event;
    state_.failed_turns = 0;
    ++state_.meta_entries;
    return {};
  }

  std::string operator()(const TurnFailedEvent& event) {
    const int failed = state_.failed_turns + 1;
    auto problem = take(event.turn);
    state_.failed_turns = failed;
    state_.failure = event.turn.note;
    return problem;
  }

  std::string operator()(const ForgeEnded& event) {
    if (state_.forge_ended) return "the loops end twice";
    state_.forge_ended = event;
    state_.teacher_pending.reset();
    return take(event.turn);
  }

  std::string operator()(const Confirmed& event) {
    const auto* best = state_.best();
    if (best == nullptr || best->started.round != event.round) {
      return fmt::format("round {} is confirmed, but it is not the best", event.round);
    }
    use_job(event.job);
    state_.confirmations.push_back(event);
    if (is_unusable(event.verdict)) {
      discard_best(event);
    } else if (event.verdict == Verdict::kPassed && !event.goal_met && state_.forge_ended &&
               state_.forge_ended->why == ForgeEnd::kGoalReached) {
      state_.goal_refuted = true;
      state_.forge_ended.reset();
    }
    return {};
  }

  std::string operator()(const Finished& event) { return set_once(state_.finished, event); }

 private:
  template <typename T>
  std::string set_once(std::optional<T>& slot, const T& event) {
    if (slot) return "it happens twice";
    slot = event;
    return {};
  }

  void use_job(int job) { state_.jobs = std::max(state_.jobs, job); }

  std::string take(const TurnNote& turn) {
    if (turn.turn == 0) return {};  // no agent took part
    if (turn.turn != state_.turns + 1) {
      return fmt::format("turn {} follows turn {}", turn.turn, state_.turns);
    }
    state_.turns = turn.turn;
    state_.failed_turns = 0;
    state_.failure.clear();
    state_.usage.input_tokens += turn.usage.input_tokens;
    state_.usage.output_tokens += turn.usage.output_tokens;
    state_.usage.cost += turn.usage.cost;
    state_.usage.seconds += turn.usage.seconds;
    return {};
  }

  // The leading milestones that did not change stay as they are: their work is done.
  void replace_milestones(const std::vector<MilestoneOutline>& outlines) {
    std::vector<MilestoneState> next;
    bool unchanged = true;
    for (std::size_t i = 0; i < outlines.size(); ++i) {
      const auto& old = state_.milestones;
      unchanged = unchanged && i < old.size() && old[i].closed &&
                  old[i].outline.digest == outlines[i].digest;
      next.push_back(unchanged ? old[i] : MilestoneState{outlines[i], {}, {}, false});
    }
    state_.milestones = std::move(next);
  }

  void discard_best(const Confirmed& event) {
    auto& judged = *state_.rounds[static_cast<std::size_t>(event.round) - 1].judged;
    judged.verdict = event.verdict;
    judged.reason = "confirmation: " + event.reason;
    judged.is_best = false;
    state_.bests.pop_back();
  }

  MilestoneState* find(std::string_view id) {
    for (auto& milestone : state_.milestones) {
      if (milestone.outline.id == id) return &milestone;
    }
    return nullptr;
  }

  Sweep* find_sweep(std::string_view space) {
    for (auto& sweep : state_.sweeps) {
      if (sweep.space == space) return &sweep;
    }
    return nullptr;
  }

  Sweep& begin_sweep(const std::string& space) {
    Sweep& sweep = state_.sweeps.emplace_back();
    sweep.space = space;
    sweep.began_in_version = state_.version;
    return sweep;
  }

  static std::string unknown_milestone(const std::string& id) {
    return fmt::format("there is no milestone '{}'", id);
  }

  State& state_;
  double elapsed_s_;
};

}  // namespace

int Sweep::combinations() const {
  std::set<Settings> different;
  for (const Observation& each : observations) different.insert(each.settings);
  return static_cast<int>(different.size());
}

const GateEvaluated* MilestoneState::gate(std::string_view text) const {
  for (const auto& evaluated : gates) {
    if (evaluated.gate == text) return &evaluated;
  }
  return nullptr;
}

const Round* State::open_round() const {
  return rounds.empty() || rounds.back().judged ? nullptr : &rounds.back();
}

const RoundJudged* State::last_judged() const {
  const auto last = std::find_if(rounds.rbegin(), rounds.rend(),
                                 [](const Round& each) { return each.judged.has_value(); });
  return last == rounds.rend() ? nullptr : &*last->judged;
}

const Round* State::best() const { return bests.empty() ? nullptr : round(bests.back()); }

const Round* State::round(int number) const {
  if (number < 1 || number > static_cast<int>(rounds.size())) return nullptr;
  return &rounds[static_cast<std::size_t>(number) - 1];
}

const Sweep* State::sweep(std::string_view space) const {
  for (const auto& candidate : sweeps) {
    if (candidate.space == space) return &candidate;
  }
  return nullptr;
}

const MilestoneState* State::milestone(std::string_view id) const {
  for (const auto& candidate : milestones) {
    if (candidate.outline.id == id) return &candidate;
  }
  return nullptr;
}

const MilestoneState* State::current_milestone() const {
  for (const auto& candidate : milestones) {
    if (!candidate.closed) return &candidate;
  }
  return nullptr;
}

const Confirmed* State::confirmation() const {
  if (confirmations.empty() || bests.empty()) return nullptr;
  const auto& last = confirmations.back();
  return last.round == bests.back() ? &last : nullptr;
}

const MeasuredRatio* State::confirmed_ratio() const {
  const Confirmed* confirmed = confirmation();
  if (confirmed == nullptr || confirmed->verdict != Verdict::kPassed) return nullptr;
  const OpponentRatio* versus = hardest(*confirmed);
  return versus == nullptr ? nullptr : &versus->measured;
}

Stage State::stage() const {
  if (finished) return Stage::kDone;
  if (!prepared) return Stage::kPrepare;
  if (!judge) return Stage::kJudge;
  if (!baseline) return Stage::kBaseline;
  if (!scouted) return Stage::kScout;
  if (forge_ended) return Stage::kConfirm;
  return version == 0 ? Stage::kDistil : Stage::kForge;
}

std::string value_of(const Settings& settings, const std::string& name) {
  const auto found = settings.find(name);
  return found == settings.end() ? std::string() : found->second;
}

bool is_unusable(Verdict verdict) {
  return verdict != Verdict::kPassed && verdict != Verdict::kNoVerdict;
}

const OpponentRatio* hardest(const Confirmed& confirmed) {
  const auto least_ahead = [](const OpponentRatio& a, const OpponentRatio& b) {
    return a.measured.ratio.point < b.measured.ratio.point;
  };
  const auto& ratios = confirmed.ratios;
  const auto found = std::min_element(ratios.begin(), ratios.end(), least_ahead);
  return found == ratios.end() ? nullptr : &*found;
}

const std::string& opponent_to_beat(const State& state) {
  FORGE_CHECK(state.baseline.has_value());
  if (!state.confirmations.empty() && state.confirmations.back().verdict == Verdict::kPassed) {
    if (const auto* found = hardest(state.confirmations.back())) return found->opponent;
  }
  return state.baseline->opponent;
}

bool goal_is_met(const MeasuredRatio& vs_reference, double goal_ratio) {
  return vs_reference.ratio.point >= goal_ratio &&
         vs_reference.ratio.low >= std::min(1.0, goal_ratio);
}

Result<State> apply(State state, const JournalEntry& entry) {
  if (!state.created && !std::holds_alternative<RunCreated>(entry.event)) {
    return Error{ErrorKind::kCorrupt, "cannot follow", fmt::format("event {}", entry.number),
                 "the run was not created yet", "restore the journal from a copy"};
  }
  const auto contradiction = std::visit(Folder(state, entry.elapsed_s), entry.event);
  if (!contradiction.empty()) {
    return Error{ErrorKind::kCorrupt, "cannot follow",
                 fmt::format("event {} ({})", entry.number, event_type(entry.event)), contradiction,
                 "restore the journal from a copy, or start a new run"};
  }
  state.events = entry.number;
  state.elapsed_s = std::max(state.elapsed_s, entry.elapsed_s);
  state.last_event_at = entry.at;
  return state;
}

Result<State> fold(const Journal& journal) {
  State state;
  for (const auto& entry : journal.entries) {
    FORGE_TRY(state, apply(std::move(state), entry));
  }
  return state;
}

}  // namespace forge
