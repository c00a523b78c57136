// Performs what plan.h decided and says what came of it. May know: everything below driver.
#pragma once

#include "driver/context.h"
#include "driver/job_runner.h"
#include "driver/secrets.h"
#include "driver/turn_taker.h"
#include "problem/problem.h"
#include "run/milestone.h"
#include "run/plan.h"
#include "run/tree.h"
#include "search/observation.h"
#include "search/space.h"

namespace forge {

class Performer {
 public:
  // `state` is the loop's, as it is at each call.
  Performer(DriverContext& context, const RunPaths& paths, const Problem& problem,
            const Secrets& secrets, const ProblemFacts& facts, const State& state,
            std::function<void()> tick)
      : context_(context),
        paths_(paths),
        problem_(problem),
        secrets_(secrets),
        facts_(facts),
        state_(state),
        tree_(paths.tree(), context.fs, context.processes),
        jobs_(context, paths, std::move(tick)) {}

  // What a driver that was killed may have left in the operator tree is undone.
  Status recover();

  Result<Event> operator()(const PrepareTree& action);
  Result<Event> operator()(const AlignJudge& action);
  Result<Event> operator()(const MeasureBaseline& action);
  Result<Event> operator()(const ScoutReference& action);
  Result<Event> operator()(const TakeTeacherTurn& action);
  Result<Event> operator()(const OpenStartRound& action);
  Result<Event> operator()(const SweepTunables& action);
  Result<Event> operator()(const OpenSweepRound& action);
  Result<Event> operator()(const TakeStudentTurn& action);
  Result<Event> operator()(const RunRoundJob& action);
  Result<Event> operator()(const RollBack& action);
  Result<Event> operator()(const EvaluateGate& action);
  Result<Event> operator()(const ConfirmBest& action);
  Result<Event> operator()(const Record& action);
  Result<Event> operator()(const Stop& action);

 private:
  // The judge as it is on disk; an error if it is not the frozen one.
  Result<JobBasis> basis();
  // For jobs without which the run can't go on.
  Result<JobResult> require(const JobOrder& order);
  Result<std::string> tree_kernel();
  // Digest of what the kernel is but for its values; empty if it has nothing to choose.
  std::string space_of(const std::string& kernel) const;
  // What a round says of its candidate.
  RoundStarted round_with(const std::string& kernel, int round, int job) const;
  Result<Milestone> read_milestone(std::string_view id);
  Result<Event> milestones_event(const TakeTeacherTurn& action, const TakenTurn& taken);
  Result<Event> round_event(const TakeStudentTurn& action, const std::string& before,
                            const TakenTurn& taken);

  Result<Event> measure_values(int job, const Round& best, const Space& space,
                               const std::vector<SearchRequest>& requests);

  DriverContext& context_;
  const RunPaths& paths_;
  const Problem& problem_;
  const Secrets& secrets_;
  const ProblemFacts& facts_;
  const State& state_;
  OperatorTree tree_;
  JobRunner jobs_;
};

}  // namespace forge
