// Measuring within a job: a check of one arm, and trials of several, kept as samples. May know:
// bench, session.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/trials.h"
#include "judge/outcome.h"
#include "worker/session.h"

namespace forge {

// Everything that trials of one set of arms have shown so far.
class Samples {
 public:
  Samples(std::size_t shapes, std::size_t arms)
      : times_(shapes, std::vector<std::vector<double>>(arms)) {}

  void add(const TrialTimes& times);
  int trials() const { return static_cast<int>(trials_.size()); }

  // log(opponent / subject), one a trial: over the first `shapes` shapes, or of one of them.
  std::vector<double> log_ratios(std::size_t subject, std::size_t opponent,
                                 std::size_t shapes) const;
  std::vector<double> shape_log_ratios(std::size_t subject, std::size_t opponent,
                                       std::size_t shape) const;
  // Median nanoseconds a call over all pairs; 0 without samples.
  double median_ns(std::size_t shape, std::size_t arm) const;

 private:
  std::vector<TrialTimes> trials_;
  std::vector<std::vector<std::vector<double>>> times_;  // [shape][arm]: all pairs
};

// The schedule of this job's trials, as the contents made so far allow.
TrialPlan plan_trials(Session& session, const std::vector<ShapeSchedule>& wanted, CacheState cache);

// Makes cases for such trials and says how they are scheduled.
Result<TrialPlan> prepare_trials(Session& session, const std::vector<ShapeSchedule>& wanted,
                                 CacheState cache);

// Intervals that last long enough, and enough of them, by shape, from the nanoseconds of a call.
std::vector<ShapeSchedule> schedules_for(const Session& session,
                                         const std::vector<double>& call_ns);
// What a check runs on, before anything is known of times: single calls.
ShapeSchedule schedule_to_check(const Session& session);

// What a check found: the first fault that is not 'wrong' ends it; wrong outputs are collected.
struct CheckFinding {
  std::optional<ArmFault> fault;  // kWrong included
  std::vector<double> call_ns;    // by shape: median; 0 where it never got there
  int cases = 0;
};
// Runs every content made so far once, one call an interval.
CheckFinding check_arm(Session& session, Arm& arm, Random& random);

// How a fault is told to the candidate's author.
CandidateOutcome outcome_of(const ArmFault& fault, const OutputChecker& checker,
                            const ProblemShapes& shapes);
// The same for an arm that should have been right: infrastructure.
Error arm_failed(const std::string& label, const ArmFault& fault, const OutputChecker& checker,
                 const ProblemShapes& shapes);

// By label and shape, for the result.
std::vector<ArmTime> arm_times(const Samples& samples, const std::vector<Arm*>& arms,
                               const ProblemShapes& shapes, CacheState cache);

}  // namespace forge
