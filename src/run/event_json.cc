// Events as JSON.
#include "run/event.h"
#include "run/shared_fields.h"

namespace forge {

static std::string_view text_of_enum(Verdict value) { return verdict_text(value); }
static std::string_view text_of_enum(Trigger value) { return trigger_text(value); }
static std::string_view text_of_enum(GateOutcome value) { return gate_outcome_text(value); }
static std::string_view text_of_enum(ForgeEnd value) { return forge_end_text(value); }

static std::optional<Verdict> enum_of_text(Verdict, std::string_view text) {
  return parse_verdict(text);
}
static std::optional<Trigger> enum_of_text(Trigger, std::string_view text) {
  return parse_trigger(text);
}
static std::optional<GateOutcome> enum_of_text(GateOutcome, std::string_view text) {
  return parse_gate_outcome(text);
}
static std::optional<ForgeEnd> enum_of_text(ForgeEnd, std::string_view text) {
  return parse_forge_end(text);
}

template <typename A>
void fields(A& a, Usage& v) {
  a("input_tokens", v.input_tokens);
  a("output_tokens", v.output_tokens);
  a("cost", v.cost);
  a("seconds", v.seconds);
}

template <typename A>
void fields(A& a, TurnNote& v) {
  a("number", v.turn);
  a("note", v.note);
  a("usage", v.usage);
}

template <typename A>
void fields(A& a, ShapeTime& v) {
  a("shape", v.shape);
  a("median_ns", v.median_ns);
}

template <typename A>
void fields(A& a, MilestoneOutline& v) {
  a("id", v.id);
  a("digest", v.digest);
  a("rows", v.rows);
  a("gates", v.gates);
}

template <typename A>
void fields(A& a, OpponentRatio& v) {
  a("opponent", v.opponent);
  a("measured", v.measured);
}

template <typename A>
void fields(A& a, RunCreated& v) {
  a("problem", v.problem);
  a("target", v.target);
  a("problem_digest", v.problem_digest);
  a("seed", v.seed);
  a("tool", v.tool);
  a("backend", v.backend);
  a("model", v.model);
  a("boundary", v.boundary);
}

template <typename A>
void fields(A& a, Prepared& v) {
  a("commit", v.commit);
  a("source", v.source);
}

template <typename A>
void fields(A& a, JudgeFrozen& v) {
  a("job", v.job);
  a("digest", v.digest);
  a("author", v.author);
  a("oracle", v.oracle);
  a("tolerance", v.tolerance);
  a("admission", v.admission);
}

template <typename A>
void fields(A& a, BaselineMeasured& v) {
  a("job", v.job);
  a("opponent", v.opponent);
  a("description", v.description);
  a("times", v.times);
  a("noise_floor", v.noise_floor);
  a("machine_sd", v.machine_sd);
  a("unsteady", v.unsteady);
}

template <typename A>
void fields(A& a, Scouted& v) {
  a("findings", v.findings);
}

template <typename A>
void fields(A& a, MilestonesWritten& v) {
  a("version", v.version);
  a("milestones", v.milestones);
  a("turn", v.turn);
}

template <typename A>
void fields(A& a, RoundStarted& v) {
  a("round", v.round);
  a("milestone", v.milestone);
  a("row", v.row);
  a("job", v.job);
  a("parent", v.parent);
  a("commit", v.commit);
  a("source", v.source);
  a("space", v.space);
  a("tried", v.tried);
  a("settings", v.settings);
  a("turn", v.turn);
}

template <typename A>
void fields(A& a, RoundJudged& v) {
  a("round", v.round);
  a("verdict", v.verdict);
  a("reason", v.reason);
  a("artefact", v.artefact);
  a("vs_reference", v.vs_reference);
  a("vs_incumbent", v.vs_incumbent);
  a("is_best", v.is_best);
  a("reused_from", v.reused_from);
}

template <typename A>
void fields(A& a, Observation& v) {
  a("settings", v.settings);
  a("job", v.job);
  a("failure", v.failure);
  a("artefact", v.artefact);
  a("trials", v.trials);
}

template <typename A>
void fields(A& a, Swept& v) {
  a("job", v.job);
  a("space", v.space);
  a("origin", v.origin);
  a("observations", v.observations);
}

template <typename A>
void fields(A& a, TunablePrice& v) {
  a("tunable", v.tunable);
  a("loss", v.loss);
}

template <typename A>
void fields(A& a, SweepEnded& v) {
  a("space", v.space);
  a("why", v.why);
  a("advised", v.advised);
  a("gain", v.gain);
  a("prices", v.prices);
}

template <typename A>
void fields(A& a, RolledBack& v) {
  a("round", v.round);
  a("commit", v.commit);
}

template <typename A>
void fields(A& a, RowClosed& v) {
  a("milestone", v.milestone);
  a("row", v.row);
  a("reason", v.reason);
  a("turn", v.turn);
}

template <typename A>
void fields(A& a, GateEvaluated& v) {
  a("milestone", v.milestone);
  a("gate", v.gate);
  a("outcome", v.outcome);
  a("detail", v.detail);
}

template <typename A>
void fields(A& a, MilestoneClosed& v) {
  a("milestone", v.milestone);
}

template <typename A>
void fields(A& a, TeacherEntered& v) {
  a("trigger", v.trigger);
  a("detail", v.detail);
}

template <typename A>
void fields(A& a, TurnFailedEvent& v) {
  a("role", v.role);
  a("row", v.row);
  a("turn", v.turn);
}

template <typename A>
void fields(A& a, ForgeEnded& v) {
  a("why", v.why);
  a("detail", v.detail);
  a("turn", v.turn);
}

template <typename A>
void fields(A& a, Confirmed& v) {
  a("job", v.job);
  a("round", v.round);
  a("verdict", v.verdict);
  a("reason", v.reason);
  a("ratios", v.ratios);
  a("goal_met", v.goal_met);
}

template <typename A>
void fields(A& a, Finished& v) {
  a("ending", v.ending);
  a("why", v.why);
}

namespace {

struct TypeName {
  template <typename T>
  constexpr std::string_view operator()(const T&) const {
    if constexpr (std::is_same_v<T, RunCreated>) return "run_created";
    if constexpr (std::is_same_v<T, Prepared>) return "prepared";
    if constexpr (std::is_same_v<T, JudgeFrozen>) return "judge_frozen";
    if constexpr (std::is_same_v<T, BaselineMeasured>) return "baseline_measured";
    if constexpr (std::is_same_v<T, Scouted>) return "scouted";
    if constexpr (std::is_same_v<T, MilestonesWritten>) return "milestones_written";
    if constexpr (std::is_same_v<T, RoundStarted>) return "round_started";
    if constexpr (std::is_same_v<T, RoundJudged>) return "round_judged";
    if constexpr (std::is_same_v<T, Swept>) return "swept";
    if constexpr (std::is_same_v<T, SweepEnded>) return "sweep_ended";
    if constexpr (std::is_same_v<T, RolledBack>) return "rolled_back";
    if constexpr (std::is_same_v<T, RowClosed>) return "row_closed";
    if constexpr (std::is_same_v<T, GateEvaluated>) return "gate_evaluated";
    if constexpr (std::is_same_v<T, MilestoneClosed>) return "milestone_closed";
    if constexpr (std::is_same_v<T, TeacherEntered>) return "teacher_entered";
    if constexpr (std::is_same_v<T, TurnFailedEvent>) return "turn_failed";
    if constexpr (std::is_same_v<T, ForgeEnded>) return "forge_ended";
    if constexpr (std::is_same_v<T, Confirmed>) return "confirmed";
    if constexpr (std::is_same_v<T, Finished>) return "finished";
  }
};

}  // namespace

std::string_view event_type(const Event& event) { return std::visit(TypeName{}, event); }

Json event_data(const Event& event) { return fields_of(event); }

Result<Event> event_from_json(std::string_view type, const Json& data,
                              const std::string& document) {
  return read_event<Event>(TypeName{}, type, data, document);
}

}  // namespace forge
