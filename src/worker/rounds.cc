#include "worker/rounds.h"

#include <algorithm>

#include "stats/interval.h"
#include "stats/trial.h"

namespace forge {
namespace {

std::string shape_name(int shape, const ProblemShapes& shapes) {
  return shape < 0 ? std::string() : shapes.names[static_cast<std::size_t>(shape)];
}

double median_or_zero(const std::vector<double>& times_ns) {
  return times_ns.empty() ? 0 : median(times_ns);
}

}  // namespace

void Samples::add(const TrialTimes& times) {
  trials_.push_back(times);
  for (std::size_t shape = 0; shape < times.size(); ++shape) {
    for (const auto& pair : times[shape]) {
      for (std::size_t arm = 0; arm < pair.size(); ++arm) times_[shape][arm].push_back(pair[arm]);
    }
  }
}

std::vector<double> Samples::shape_log_ratios(std::size_t subject, std::size_t opponent,
                                              std::size_t shape) const {
  std::vector<double> values;
  for (const TrialTimes& trial : trials_) {
    values.push_back(contrast(trial, subject, opponent).by_shape[shape]);
  }
  return values;
}

std::vector<double> Samples::log_ratios(std::size_t subject, std::size_t opponent,
                                        std::size_t shapes) const {
  std::vector<double> values;
  for (const TrialTimes& trial : trials_) {
    const std::vector<double> by_shape = contrast(trial, subject, opponent).by_shape;
    values.push_back(trial_value(std::span(by_shape).first(std::min(shapes, by_shape.size()))));
  }
  return values;
}

double Samples::median_ns(std::size_t shape, std::size_t arm) const {
  return median_or_zero(times_[shape][arm]);
}

TrialPlan plan_trials(Session& session, const std::vector<ShapeSchedule>& wanted,
                      CacheState cache) {
  TrialPlan plan;
  plan.cache = cache;
  for (std::size_t shape = 0; shape < session.shapes().names.size(); ++shape) {
    plan.contents.push_back(session.contents().describe(shape));
    plan.schedules.push_back(fit_schedule(plan.contents.back(), wanted[shape]));
  }
  return plan;
}

Result<TrialPlan> prepare_trials(Session& session, const std::vector<ShapeSchedule>& wanted,
                                 CacheState cache) {
  for (std::size_t shape = 0; shape < wanted.size(); ++shape) {
    FORGE_TRY_STATUS(
        session.require_contents(shape, session.contents_needed(shape, wanted[shape])));
  }
  return plan_trials(session, wanted, cache);
}

std::vector<ShapeSchedule> schedules_for(const Session& session,
                                         const std::vector<double>& call_ns) {
  const TimingPlan& timing = session.job().timing;
  std::vector<ShapeSchedule> schedules;
  for (std::size_t shape = 0; shape < call_ns.size(); ++shape) {
    ShapeSchedule schedule;
    schedule.calls = calls_for(call_ns[shape], static_cast<double>(timing.min_interval_ns),
                               std::min(timing.max_calls_per_interval, session.max_calls(shape)));
    // On a GPU each call is replayed many times instead, since contents are dear to bring there.
    schedule.pairs =
        session.on_gpu()
            ? timing.pairs_per_shape
            : pairs_for(call_ns[shape] * schedule.calls, static_cast<double>(timing.min_trial_ns),
                        timing.pairs_per_shape, schedule.calls, timing.max_calls_per_trial);
    schedules.push_back(schedule);
  }
  return schedules;
}

ShapeSchedule schedule_to_check(const Session& session) {
  ShapeSchedule schedule;
  schedule.pairs = session.job().timing.pairs_per_shape;
  return schedule;
}

CheckFinding check_arm(Session& session, Arm& arm, Random& random) {
  const std::size_t shapes = session.shapes().names.size();
  std::vector<std::vector<double>> times(shapes);
  CheckFinding finding;
  finding.fault = arm.set_up(random);
  std::vector<Call> calls;
  for (std::size_t shape = 0; shape < shapes; ++shape) {
    const auto count = session.contents().describe(shape).group_of.size();
    for (std::size_t i = 0; i < count; ++i) {
      calls.push_back({static_cast<int>(shape), static_cast<int>(i)});
    }
  }
  random.shuffle(calls);
  for (const Call& call : calls) {
    if (finding.fault && finding.fault->kind != FaultKind::kWrong) break;
    std::optional<ArmFault> fault = arm.prepare({call}, CacheState::kCold, random);
    if (!fault) {
      const MeasureOutcome outcome = arm.measure();
      if (const auto* time = std::get_if<Nanoseconds>(&outcome)) {
        times[static_cast<std::size_t>(call.shape)].push_back(time->value);
        ++finding.cases;
        fault = arm.verify();
      } else {
        fault = std::get<ArmFault>(outcome);
      }
    }
    if (fault) finding.fault = fault;
  }
  arm.tear_down();
  for (const auto& shape : times) finding.call_ns.push_back(median_or_zero(shape));
  return finding;
}

CandidateOutcome outcome_of(const ArmFault& fault, const OutputChecker& checker,
                            const ProblemShapes& shapes) {
  const std::string shape = shape_name(fault.shape, shapes);
  switch (fault.kind) {
    case FaultKind::kLaunchError:
      return LaunchError{shape, fault.reason};
    case FaultKind::kTimeout:
      return TimeoutOutcome{shape, fault.reason};
    case FaultKind::kCrash:
      return Crash{shape, fault.reason};
    case FaultKind::kWrong:
      return Wrong{checker.wrong_values()};
    case FaultKind::kInputsModified:
      return InputsModified{shape, fault.reason};
    case FaultKind::kRefused:
      return Refused{fault.reason};
    case FaultKind::kInfrastructure:
      break;
  }
  return NoVerdict{fault.reason};
}

Error arm_failed(const std::string& label, const ArmFault& fault, const OutputChecker& checker,
                 const ProblemShapes& shapes) {
  const CandidateOutcome outcome = outcome_of(fault, checker, shapes);
  return Error{ErrorKind::kInfrastructure, "cannot measure", label,
               std::string(verdict_name(outcome)) + ": " + explain(outcome),
               "run it by itself on this shape and group"};
}

std::vector<ArmTime> arm_times(const Samples& samples, const std::vector<Arm*>& arms,
                               const ProblemShapes& shapes, CacheState cache) {
  std::vector<ArmTime> times;
  for (std::size_t arm = 0; arm < arms.size(); ++arm) {
    for (std::size_t shape = 0; shape < shapes.names.size(); ++shape) {
      times.push_back({arms[arm]->label(), shapes.names[shape], samples.median_ns(shape, arm),
                       std::string(cache_name(cache))});
    }
  }
  return times;
}

}  // namespace forge
