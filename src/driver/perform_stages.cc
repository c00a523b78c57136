// The stages that happen once: prepare, judge, baseline, scout, confirm; and what they share.
#include <fmt/format.h>

#include "driver/performer.h"
#include "driver/search_space.h"
#include "judge/freeze.h"
#include "student/verdict.h"
#include "target/kernel_header.h"

namespace forge {
namespace {

std::string author_of(const Problem& problem) {
  return problem.judge.author.empty() ? "not said" : problem.judge.author;
}

std::string description_of(const JobResult& result, const std::string& label) {
  for (const auto& arm : result.arms) {
    if (arm.label == label) return arm.description;
  }
  return label;
}

// Cold times of one arm, in the result's order.
std::vector<ShapeTime> times_of(const JobResult& result, const std::string& label) {
  std::vector<ShapeTime> times;
  for (const auto& time : result.times) {
    if (time.label == label && time.cache != "warm") times.push_back({time.shape, time.median_ns});
  }
  return times;
}

Error unexpected_kind(const JobOrder& order) {
  return Error{ErrorKind::kInfrastructure, "cannot use the result of job", order.spec.id,
               "it is of another kind than the job", "check that forge and forge-worker match"};
}

std::vector<OpponentRatio> ratios_of(const JudgeResult& result) {
  std::vector<OpponentRatio> ratios;
  for (const auto& contrast : result.contrasts) {
    if (contrast.cache != "cold") continue;
    ratios.push_back({contrast.opponent, {contrast.ratio, contrast.comparison, contrast.trials}});
  }
  return ratios;
}

}  // namespace

Status Performer::recover() {
  if (state_.head.empty()) return {};
  return tree_.reset_to(state_.head);
}

Result<JobBasis> Performer::basis() {
  FORGE_TRY(const auto digest, judge_digest(context_.fs, paths_.problem()));
  JobBasis result{problem_, state_, paths_, context_.cache.string(), digest.hex, {}};
  if (!state_.judge) return result;
  if (state_.judge->digest != digest.hex) {
    return Error{ErrorKind::kCorrupt, "cannot go on with", paths_.root().string(),
                 "the judge in problem/ is not the one that was frozen",
                 "restore problem/ from a copy, or start a new run"};
  }
  const JsonReader reader(state_.judge->tolerance, paths_.journal().string());
  FORGE_TRY(result.tolerance, tolerance_from_json(reader));
  return result;
}

Result<JobResult> Performer::require(const JobOrder& order) {
  FORGE_TRY(auto outcome, jobs_.run(order));
  if (auto* error = std::get_if<Error>(&outcome)) return std::move(*error);
  return std::get<JobResult>(std::move(outcome));
}

Result<std::string> Performer::tree_kernel() { return context_.fs.read(paths_.tree_kernel()); }

Result<Event> Performer::operator()(const PrepareTree&) {
  auto& fs = context_.fs;
  FORGE_TRY_STATUS(fs.remove_all(paths_.tree()));
  FORGE_TRY_STATUS(fs.make_directories(paths_.tree()));
  if (problem_.start_path) {
    FORGE_TRY_STATUS(fs.copy_tree(paths_.problem() / *problem_.start_path, paths_.tree()));
  }
  FORGE_TRY_STATUS(fs.write_atomic(paths_.tree() / kKernelHeaderFile, kernel_header(problem_)));
  FORGE_TRY(const auto kernel, tree_kernel());
  FORGE_TRY(auto commit, tree_.create("The start kernel"));
  return Event(Prepared{std::move(commit), digest_of(kernel).hex});
}

Result<Event> Performer::operator()(const AlignJudge& action) {
  FORGE_TRY(const auto shared, basis());
  const auto seeds = round_seeds(secrets_, state_.created->seed, action.job);
  const auto order = align_job(shared, action.job, seeds);
  FORGE_TRY(const auto result, require(order));
  const auto* body = std::get_if<AlignResult>(&result.body);
  if (body == nullptr) return unexpected_kind(order);
  if (!body->mismatch.empty()) {
    return Error{ErrorKind::kInvalidInput, "cannot align the judge of", problem_.name,
                 "oracle and reference disagree: " + body->mismatch,
                 "correct the oracle or the reference, then start a new run"};
  }
  if (!body->admission.refusals.empty()) return not_admitted(problem_.name, body->admission);
  return Event(JudgeFrozen{action.job, shared.check_digest, author_of(problem_), result.oracle,
                           to_json(body->tolerance), to_json(body->admission)});
}

Result<Event> Performer::operator()(const MeasureBaseline& action) {
  FORGE_TRY(const auto shared, basis());
  const auto seeds = round_seeds(secrets_, state_.created->seed, action.job);
  const auto order = baseline_job(shared, action.job, seeds);
  FORGE_TRY(const auto result, require(order));
  const auto* body = std::get_if<BaselineResult>(&result.body);
  if (body == nullptr) return unexpected_kind(order);
  if (body->unsteady) {
    context_.progress.notice("the machine is unsteady: intervals will be wide");
  }
  BaselineMeasured event;
  event.job = action.job;
  event.opponent = body->fastest;
  event.description = description_of(result, body->fastest);
  event.times = times_of(result, body->fastest);
  event.noise_floor = body->noise_floor;
  event.machine_sd = body->machine_sd;
  event.unsteady = body->unsteady;
  return Event(std::move(event));
}

Result<Event> Performer::operator()(const ScoutReference&) {
  FORGE_TRY(const auto kernel, tree_kernel());
  return Event(Scouted{scout_findings(*state_.baseline, tunables_of(kernel))});
}

Result<Event> Performer::operator()(const ConfirmBest& action) {
  FORGE_TRY(const auto shared, basis());
  const auto set = state_.confirmations.size();
  FORGE_CHECK(set < secrets_.confirmation_seeds.size());
  const auto order =
      confirm_job(shared, action.job, state_.best()->started, secrets_.confirmation_seeds[set]);
  FORGE_TRY(auto outcome, jobs_.run(order));
  Confirmed event;
  event.job = action.job;
  event.round = action.round;
  if (const auto* error = std::get_if<Error>(&outcome)) {
    event.reason = error->message();
    return Event(std::move(event));
  }
  const auto& result = std::get<JobResult>(outcome);
  const auto* body = std::get_if<JudgeResult>(&result.body);
  if (body == nullptr) return unexpected_kind(order);
  event.verdict = verdict_of(body->outcome);
  event.reason = explain(body->outcome);
  event.ratios = ratios_of(*body);
  const auto* versus = hardest(event);
  event.goal_met = event.verdict == Verdict::kPassed && versus != nullptr &&
                   goal_is_met(versus->measured, facts_.goal_ratio);
  return Event(std::move(event));
}

Result<Event> Performer::operator()(const Record& action) { return action.event; }

Result<Event> Performer::operator()(const Stop& action) { return Event(action.finished); }

}  // namespace forge
