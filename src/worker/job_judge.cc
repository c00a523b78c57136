#include <algorithm>
#include <limits>

#include "stats/trial.h"
#include "worker/copy_ceiling.h"
#include "worker/jobs.h"
#include "worker/monitor.h"
#include "worker/rounds.h"

namespace forge {
namespace {

constexpr int kWarmTrials = 6;

// The arms of the job, candidate first.
struct Field {
  std::vector<PreparedArm> prepared;
  std::vector<std::unique_ptr<OutputChecker>> checkers;
  std::vector<std::unique_ptr<JobArm>> processes;
  std::vector<Arm*> arms;
};

std::vector<ArmSpec> candidate_first(std::vector<ArmSpec> specs) {
  std::stable_partition(specs.begin(), specs.end(),
                        [](const ArmSpec& spec) { return spec.role == ArmRole::kCandidate; });
  return specs;
}

// The contrast that decides when to stop: against the incumbent where there is one, since only
// beating it makes a new best; else against the reference that is the fastest in these trials.
std::size_t deciding_opponent(const std::vector<PreparedArm>& arms, const Samples& samples,
                              std::size_t shapes) {
  std::size_t hardest = 1;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < arms.size(); ++i) {
    if (arms[i].spec.role == ArmRole::kIncumbent) return i;
    const double log_ratio = mean(samples.log_ratios(0, i, shapes));
    if (log_ratio < smallest) {
      smallest = log_ratio;
      hardest = i;
    }
  }
  return hardest;
}

Contrast finish_contrast(const Session& session, const Samples& samples, std::size_t opponent,
                         const std::string& label, const Decided& decided, CacheState cache) {
  Contrast result;
  result.opponent = label;
  result.cache = std::string(cache_name(cache));
  result.comparison = decided.comparison;
  result.ratio = decided.ratio;
  result.trials = decided.trials;
  result.reason = decided.reason;
  const TimingPlan& timing = session.job().timing;
  for (std::size_t shape = 0; shape < session.shapes().names.size(); ++shape) {
    const Interval log_ratio = student_t_interval(samples.shape_log_ratios(0, opponent, shape),
                                                  timing.confirm_alpha, timing.machine_sd);
    result.shapes.push_back({session.shapes().names[shape], exponentiate(log_ratio)});
  }
  result.log_ratios = samples.log_ratios(0, opponent, session.shapes().public_count);
  return result;
}

// Records what a trial's fault means: the candidate's outcome, or an error of somebody else.
Status on_fault(Session& session, const FaultOf& failed, const Field& field, JudgeResult& result) {
  const auto arm = static_cast<std::size_t>(failed.arm);
  const OutputChecker& checker = *field.checkers[arm];
  if (arm != 0 || failed.fault.kind == FaultKind::kInfrastructure) {
    return arm_failed(field.arms[arm]->label(), failed.fault, checker, session.shapes());
  }
  result.outcome = outcome_of(failed.fault, checker, session.shapes());
  return {};
}

// Sequential: each opponent's comparison is fixed at the look that decides it; the deciding
// opponent's ends the job. Returns with `result.outcome` not Passed after a fault.
Status time_until_decided(Session& session, Field& field, const TrialPlan& plan, Random& random,
                          JudgeResult& result) {
  const TimingPlan& timing = session.job().timing;
  const std::size_t shapes = session.shapes().public_count;
  Samples samples(session.shapes().names.size(), field.arms.size());
  std::vector<std::optional<Decided>> decided(field.arms.size());
  do {
    const TrialOutcome outcome = run_trial(field.arms, plan, random);
    if (const auto* failed = std::get_if<FaultOf>(&outcome)) {
      return on_fault(session, *failed, field, result);
    }
    samples.add(std::get<TrialTimes>(outcome));
    for (std::size_t i = 1; i < field.arms.size(); ++i) {
      if (decided[i]) continue;
      const LookDecision decision =
          look(timing.looks, samples.log_ratios(0, i, shapes), timing.machine_sd);
      if (const auto* final = std::get_if<Decided>(&decision)) decided[i] = *final;
    }
  } while (!decided[deciding_opponent(field.prepared, samples, shapes)]);
  for (std::size_t i = 1; i < field.arms.size(); ++i) {
    if (!decided[i]) {
      decided[i] = conclude(samples.log_ratios(0, i, shapes), timing.looks.alpha.back(),
                            timing.machine_sd, timing.looks.same_margin);
    }
    result.contrasts.push_back(finish_contrast(session, samples, i, field.arms[i]->label(),
                                               *decided[i], CacheState::kCold));
  }
  session.result().times = arm_times(samples, field.arms, session.shapes(), CacheState::kCold);
  return {};
}

// A fixed number of trials, no looks. Ceilings, where asked for, take turns with the trials.
Status time_fixed(Session& session, Field& field, const TrialPlan& plan, int trials,
                  CopyCeilings* ceilings, Random& random, JudgeResult& result) {
  const TimingPlan& timing = session.job().timing;
  Samples samples(session.shapes().names.size(), field.arms.size());
  for (int trial = 0; trial < trials; ++trial) {
    const TrialOutcome outcome = run_trial(field.arms, plan, random);
    if (const auto* failed = std::get_if<FaultOf>(&outcome)) {
      return on_fault(session, *failed, field, result);
    }
    samples.add(std::get<TrialTimes>(outcome));
    if (ceilings != nullptr) FORGE_TRY_STATUS(ceilings->run_trial(random));
  }
  for (std::size_t i = 1; i < field.arms.size(); ++i) {
    const Decided decided =
        conclude(samples.log_ratios(0, i, session.shapes().public_count), timing.confirm_alpha,
                 timing.machine_sd, timing.looks.same_margin);
    result.contrasts.push_back(
        finish_contrast(session, samples, i, field.arms[i]->label(), decided, plan.cache));
  }
  for (ArmTime& time : arm_times(samples, field.arms, session.shapes(), plan.cache)) {
    session.result().times.push_back(std::move(time));
  }
  return {};
}

// Prepares every arm; nullopt and an outcome if the candidate never came to life.
Result<std::optional<Field>> prepare_field(Session& session, const std::vector<ArmSpec>& specs,
                                           JudgeResult& result) {
  Field field;
  for (const ArmSpec& spec : specs) {
    FORGE_TRY(auto prepared, session.prepare_arm(spec));
    if (const auto* outcome = std::get_if<CandidateOutcome>(&prepared)) {
      result.outcome = *outcome;
      return std::optional<Field>();
    }
    field.prepared.push_back(std::move(std::get<PreparedArm>(prepared)));
  }
  for (PreparedArm& prepared : field.prepared) {
    field.checkers.push_back(prepared.spec.role == ArmRole::kReference
                                 ? session.make_reference_checker()
                                 : session.make_checker(session.job().tolerance));
    field.processes.push_back(session.make_arm(prepared, *field.checkers.back()));
    field.arms.push_back(field.processes.back().get());
  }
  return std::optional<Field>(std::move(field));
}

Status time_field(Session& session, Field& field, const std::vector<ShapeSchedule>& wanted,
                  Random& random, JudgeResult& result) {
  FORGE_TRY_STATUS(session.reserve_arenas(field.arms.size()));
  FORGE_TRY(TrialPlan plan, prepare_trials(session, wanted, CacheState::kCold));
  if (session.job().kind == JobKind::kJudge) {
    return time_until_decided(session, field, plan, random, result);
  }
  FORGE_TRY(const auto ceilings, CopyCeilings::prepare(session));
  FORGE_TRY_STATUS(time_fixed(session, field, plan, session.job().timing.confirm_trials,
                              ceilings.get(), random, result));
  if (ceilings != nullptr) session.result().ceilings = ceilings->results();
  if (!std::holds_alternative<Passed>(result.outcome)) return {};
  plan.cache = CacheState::kWarm;
  return time_fixed(session, field, plan, kWarmTrials, nullptr, random, result);
}

// Not the incumbent: it was a best of its own time.
std::vector<PreparedArm*> arms_to_monitor(Field& field) {
  std::vector<PreparedArm*> arms;
  for (PreparedArm& prepared : field.prepared) {
    if (prepared.spec.role != ArmRole::kIncumbent) arms.push_back(&prepared);
  }
  return arms;
}

}  // namespace

Status run_judge(Session& session) {
  Random random(session.job().seeds.front(), session.job().id);
  const std::vector<ArmSpec> specs = candidate_first(session.job().arms);
  JudgeResult result;
  FORGE_TRY(std::optional<Field> field, prepare_field(session, specs, result));
  if (!field) {
    session.result().body = std::move(result);
    return {};
  }
  for (std::size_t shape = 0; shape < session.shapes().names.size(); ++shape) {
    FORGE_TRY_STATUS(session.require_contents(
        shape, session.contents_needed(shape, schedule_to_check(session))));
  }
  FORGE_TRY_STATUS(session.reserve_arenas(1));
  const CheckFinding finding = check_arm(session, *field->arms.front(), random);
  result.checked_cases = finding.cases;
  if (finding.fault) {
    FORGE_TRY_STATUS(on_fault(session, {0, *finding.fault}, *field, result));
  } else if (session.job().kind != JobKind::kCheck) {
    FORGE_TRY_STATUS(
        time_field(session, *field, schedules_for(session, finding.call_ns), random, result));
  }
  const bool confirmed =
      session.job().kind == JobKind::kConfirm && std::holds_alternative<Passed>(result.outcome);
  if (confirmed) result.monitor = monitor_arms(session, arms_to_monitor(*field), random);
  // No timing of a kernel that did not pass is reported.
  if (!std::holds_alternative<Passed>(result.outcome)) {
    result.contrasts.clear();
    session.result().times.clear();
  }
  // A call that was refused is a case of the check and was never verified.
  result.timed_calls = std::max(field->processes.front()->calls_verified() - finding.cases, 0);
  session.result().output += field->processes.front()->output();
  session.result().body = std::move(result);
  return {};
}

}  // namespace forge
