#include <algorithm>

#include "worker/jobs.h"
#include "worker/rounds.h"

namespace forge {
namespace {

// What is timed: a candidate, or the incumbent.
struct Contestant {
  std::unique_ptr<PreparedArm> prepared;
  std::unique_ptr<OutputChecker> checker;
  std::unique_ptr<JobArm> process;
  SweepArm* candidate = nullptr;  // nullptr: the incumbent
  int trials = 0;                 // that it is to take part in
};

class Sweep {
 public:
  explicit Sweep(Session& session)
      : session_(session), random_(session.job().seeds.front(), session.job().id) {
    const auto& shapes = session.shapes();
    result_.shapes.assign(shapes.names.begin(),
                          shapes.names.begin() + static_cast<std::ptrdiff_t>(shapes.public_count));
    result_.incumbent = Passed{};
    for (const ArmSpec* spec : candidates()) result_.arms.push_back({spec->label, {}, "", "", {}});
  }

  Status run() {
    FORGE_TRY_STATUS(session_.build_ahead(session_.job().arms));
    for (std::size_t shape = 0; shape < session_.shapes().names.size(); ++shape) {
      FORGE_TRY_STATUS(session_.require_contents(
          shape, session_.contents_needed(shape, schedule_to_check(session_))));
    }
    FORGE_TRY_STATUS(session_.reserve_arenas(1));
    FORGE_TRY(const std::vector<double> call_ns, admit_incumbent());
    if (std::holds_alternative<Passed>(result_.incumbent)) {
      FORGE_TRY_STATUS(admit_candidates());
      FORGE_TRY_STATUS(time(call_ns));
    }
    for (const Contestant& each : contestants_) session_.result().output += each.process->output();
    session_.result().body = std::move(result_);
    return {};
  }

 private:
  std::vector<const ArmSpec*> candidates() const {
    std::vector<const ArmSpec*> specs;
    for (const ArmSpec& spec : session_.job().arms) {
      if (spec.role == ArmRole::kCandidate) specs.push_back(&spec);
    }
    return specs;
  }

  Contestant contestant(PreparedArm prepared) {
    Contestant made;
    made.prepared = std::make_unique<PreparedArm>(std::move(prepared));
    made.checker = session_.make_checker(session_.job().tolerance);
    made.process = session_.make_arm(*made.prepared, *made.checker);
    return made;
  }

  // Nanoseconds of its calls, by shape.
  Result<std::vector<double>> admit_incumbent() {
    for (const ArmSpec& spec : session_.job().arms) {
      if (spec.role != ArmRole::kIncumbent) continue;
      FORGE_TRY(auto prepared, session_.prepare_arm(spec));
      FORGE_CHECK(std::holds_alternative<PreparedArm>(prepared));  // only candidates may fail
      contestants_.push_back(contestant(std::move(std::get<PreparedArm>(prepared))));
    }
    const Contestant& incumbent = contestants_.front();
    const CheckFinding finding = check_arm(session_, *incumbent.process, random_);
    if (finding.fault && finding.fault->kind == FaultKind::kInfrastructure) {
      return arm_failed(incumbent.process->label(), *finding.fault, *incumbent.checker,
                        session_.shapes());
    }
    if (finding.fault) {
      result_.incumbent = outcome_of(*finding.fault, *incumbent.checker, session_.shapes());
    }
    return finding.call_ns;
  }

  Status admit_candidates() {
    const auto specs = candidates();
    for (std::size_t i = 0; i < specs.size(); ++i) {
      SweepArm& arm = result_.arms[i];
      FORGE_TRY(auto prepared, session_.prepare_arm(*specs[i]));
      if (const auto* failed = std::get_if<CandidateOutcome>(&prepared)) {
        arm.outcome = *failed;
        continue;
      }
      Contestant admitted = contestant(std::move(std::get<PreparedArm>(prepared)));
      arm.artefact = admitted.prepared->facts.artefact_digest;
      arm.same_as = twin_of(arm.artefact);
      if (!arm.same_as.empty()) continue;
      admitted.candidate = &arm;
      admitted.trials = session_.job().sweep.trials.at(arm.label);
      const CheckFinding finding = check_arm(session_, *admitted.process, random_);
      if (finding.fault) FORGE_TRY_STATUS(take_fault(admitted, *finding.fault));
      if (!finding.fault) contestants_.push_back(std::move(admitted));
    }
    return {};
  }

  // What has the same artefact and is timed in its stead; empty: nothing.
  std::string twin_of(const std::string& artefact) const {
    const auto& known = session_.job().sweep.known_artefacts;
    if (std::find(known.begin(), known.end(), artefact) != known.end()) {
      return std::string(kKnownArtefact);
    }
    for (const Contestant& each : contestants_) {
      if (each.prepared->facts.artefact_digest == artefact) return each.process->label();
    }
    return "";
  }

  // A candidate's fault is its outcome; everybody else's is an error.
  Status take_fault(const Contestant& failed, const ArmFault& fault) {
    if (failed.candidate == nullptr || fault.kind == FaultKind::kInfrastructure) {
      return arm_failed(failed.process->label(), fault, *failed.checker, session_.shapes());
    }
    failed.candidate->outcome = outcome_of(fault, *failed.checker, session_.shapes());
    failed.candidate->log_ratios.clear();
    session_.result().output += failed.process->output();
    return {};
  }

  Status time(const std::vector<double>& call_ns) {
    FORGE_TRY_STATUS(session_.reserve_arenas(contestants_.size()));
    FORGE_TRY(const TrialPlan plan,
              prepare_trials(session_, schedules_for(session_, call_ns), CacheState::kCold));
    for (int trial = 0; contestants_.size() > 1; ++trial) {
      std::erase_if(contestants_, [&](const Contestant& each) {
        return each.candidate != nullptr && each.trials <= trial;
      });
      FORGE_TRY_STATUS(run_one_trial(plan));
    }
    return {};
  }

  // Of all that are left. One that fails in it is dropped, and the trial is done again without it.
  Status run_one_trial(const TrialPlan& plan) {
    while (contestants_.size() > 1) {
      std::vector<Arm*> arms;
      for (const Contestant& each : contestants_) arms.push_back(each.process.get());
      const TrialOutcome outcome = run_trial(arms, plan, random_);
      const auto* failed = std::get_if<FaultOf>(&outcome);
      if (failed == nullptr) {
        keep_log_ratios(std::get<TrialTimes>(outcome));
        return {};
      }
      const auto which = contestants_.begin() + failed->arm;
      FORGE_TRY_STATUS(take_fault(*which, failed->fault));
      contestants_.erase(which);
    }
    return {};
  }

  void keep_log_ratios(const TrialTimes& times) {
    for (std::size_t i = 1; i < contestants_.size(); ++i) {
      std::vector<double> by_shape = contrast(times, i, 0).by_shape;
      by_shape.resize(result_.shapes.size());
      contestants_[i].candidate->log_ratios.push_back(std::move(by_shape));
    }
  }

  Session& session_;
  Random random_;
  SweepResult result_;
  std::vector<Contestant> contestants_;  // the incumbent first
};

}  // namespace

Status run_sweep(Session& session) { return Sweep(session).run(); }

}  // namespace forge
