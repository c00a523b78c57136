#include <cmath>
#include <limits>

#include "stats/noise.h"
#include "worker/copy_ceiling.h"
#include "worker/jobs.h"
#include "worker/rounds.h"

namespace forge {
namespace {

constexpr int kRankingTrials = 4;
constexpr int kCeilingTrials = 3;

struct References {
  std::vector<PreparedArm> prepared;
  std::unique_ptr<OutputChecker> checker;
};

Result<References> prepare_references(Session& session) {
  References references;
  references.checker = session.make_reference_checker();
  for (const ArmSpec& spec : session.job().arms) {
    FORGE_TRY(auto prepared, session.prepare_arm(spec));
    FORGE_CHECK(std::holds_alternative<PreparedArm>(prepared));
    references.prepared.push_back(std::move(std::get<PreparedArm>(prepared)));
  }
  return references;
}

// Runs trials of several processes, which may be of one reference.
Result<Samples> run_trials(Session& session, const std::vector<PreparedArm*>& which,
                           OutputChecker& checker, const TrialPlan& plan, int trials,
                           Random& random) {
  std::vector<std::unique_ptr<JobArm>> processes;
  std::vector<Arm*> arms;
  for (PreparedArm* arm : which) {
    processes.push_back(session.make_arm(*arm, checker));
    arms.push_back(processes.back().get());
  }
  Samples samples(session.shapes().names.size(), arms.size());
  for (int trial = 0; trial < trials; ++trial) {
    const TrialOutcome outcome = run_trial(arms, plan, random);
    if (const auto* failed = std::get_if<FaultOf>(&outcome)) {
      return arm_failed(arms[static_cast<std::size_t>(failed->arm)]->label(), failed->fault,
                        checker, session.shapes());
    }
    samples.add(std::get<TrialTimes>(outcome));
  }
  for (ArmTime& time : arm_times(samples, arms, session.shapes(), plan.cache)) {
    session.result().times.push_back(std::move(time));
  }
  return samples;
}

// Schedules by shape, from the fastest reference's times in a check.
Result<std::vector<ShapeSchedule>> choose_schedules(Session& session, References& references,
                                                    Random& random) {
  const std::size_t shapes = session.shapes().names.size();
  std::vector<double> fastest(shapes, std::numeric_limits<double>::infinity());
  for (PreparedArm& reference : references.prepared) {
    const auto arm = session.make_arm(reference, *references.checker);
    const CheckFinding finding = check_arm(session, *arm, random);
    session.result().output += arm->output();
    if (finding.fault) {
      return arm_failed(reference.spec.label, *finding.fault, *references.checker,
                        session.shapes());
    }
    for (std::size_t i = 0; i < shapes; ++i) {
      fastest[i] = std::min(fastest[i], finding.call_ns[i]);
    }
  }
  return schedules_for(session, fastest);
}

// The reference to beat: the smallest geometric mean of times over shapes.
Result<std::size_t> find_fastest(Session& session, References& references, const TrialPlan& plan,
                                 Random& random) {
  if (references.prepared.size() == 1) return std::size_t{0};
  std::vector<PreparedArm*> all;
  for (PreparedArm& arm : references.prepared) all.push_back(&arm);
  FORGE_TRY(const Samples samples,
            run_trials(session, all, *references.checker, plan, kRankingTrials, random));
  std::size_t best = 0;
  for (std::size_t arm = 1; arm < all.size(); ++arm) {
    // log(best / arm) > 0: this one is faster.
    const auto logs = samples.log_ratios(arm, best, session.shapes().public_count);
    if (mean(logs) > 0) best = arm;
  }
  return best;
}

Status measure_noise(Session& session, References& references, std::size_t fastest,
                     const TrialPlan& plan, Random& random, BaselineResult& result) {
  const TimingPlan& timing = session.job().timing;
  PreparedArm* arm = &references.prepared[fastest];
  FORGE_TRY(const Samples samples,
            run_trials(session, {arm, arm}, *references.checker, plan,
                       timing.baseline_batches * timing.trials_per_batch, random));
  const std::vector<double> logs = samples.log_ratios(0, 1, session.shapes().public_count);
  result.machine_sd = machine_sd(logs);
  for (int batch = 0; batch < timing.baseline_batches; ++batch) {
    const auto first = static_cast<std::size_t>(batch * timing.trials_per_batch);
    const auto count = static_cast<std::size_t>(timing.trials_per_batch);
    result.batch_ratios.push_back(std::exp(mean(std::span(logs).subspan(first, count))));
  }
  result.noise_floor = noise_floor(result.batch_ratios);
  result.unsteady = machine_is_unsteady(result.batch_ratios, result.noise_floor);
  return {};
}

// Both sides of an A/A comparison carry one label; one of them tells the reference's time.
void keep_one_time_each(std::vector<ArmTime>& times) {
  std::vector<ArmTime> kept;
  for (ArmTime& time : times) {
    bool known = false;
    for (ArmTime& other : kept) {
      if (other.label != time.label || other.shape != time.shape) continue;
      known = true;
      other.median_ns = time.median_ns;  // later trials have run on a warmer machine
    }
    if (!known) kept.push_back(std::move(time));
  }
  times = std::move(kept);
}

}  // namespace

Status run_baseline(Session& session) {
  Random random(session.job().seeds.front(), session.job().id);
  FORGE_TRY(References references, prepare_references(session));
  for (std::size_t shape = 0; shape < session.shapes().names.size(); ++shape) {
    FORGE_TRY_STATUS(session.require_contents(
        shape, session.contents_needed(shape, schedule_to_check(session))));
  }
  FORGE_TRY_STATUS(session.reserve_arenas(std::max<std::size_t>(2, references.prepared.size())));
  FORGE_TRY(const std::vector<ShapeSchedule> wanted, choose_schedules(session, references, random));
  FORGE_TRY(const TrialPlan plan, prepare_trials(session, wanted, CacheState::kCold));
  BaselineResult result;
  FORGE_TRY(const std::size_t fastest, find_fastest(session, references, plan, random));
  result.fastest = references.prepared[fastest].spec.label;
  FORGE_TRY_STATUS(measure_noise(session, references, fastest, plan, random, result));
  FORGE_TRY(const auto ceilings, CopyCeilings::prepare(session));
  for (int trial = 0; ceilings != nullptr && trial < kCeilingTrials; ++trial) {
    FORGE_TRY_STATUS(ceilings->run_trial(random));
  }
  if (ceilings != nullptr) session.result().ceilings = ceilings->results();
  keep_one_time_each(session.result().times);
  session.result().body = std::move(result);
  return {};
}

}  // namespace forge
