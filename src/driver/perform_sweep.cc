// Sweeps: the values that the best declares, measured without an agent's turn.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "driver/kernel_space.h"
#include "driver/performer.h"
#include "driver/sweep.h"
#include "search/model_search.h"

namespace forge {
namespace {

const std::vector<Observation>& observations_so_far(const Sweep* sweep) {
  static const std::vector<Observation> kNone;
  return sweep == nullptr ? kNone : sweep->observations;
}

std::vector<TunablePrice> prices_of(const Space& space,
                                    const std::vector<Observation>& observations) {
  std::vector<TunablePrice> priced;
  for (const Price& price : prices(space, observations)) {
    priced.push_back({price.parameter, std::exp(price.loss)});
  }
  std::stable_sort(priced.begin(), priced.end(),
                   [](const auto& a, const auto& b) { return a.loss > b.loss; });
  return priced;
}

SweepEnded end_of(const Round& best, const Space& space,
                  const std::vector<Observation>& observations, std::string why) {
  const Recommendation found = recommend(space, observations);
  return {best.started.space, std::move(why), space.settings(found.point), std::exp(found.log_gain),
          prices_of(space, observations)};
}

// Nothing can be said of its values; the run goes on without.
SweepEnded no_sweep(const Round& best, std::string why) {
  return {best.started.space, std::move(why), best.started.settings, 1, {}};
}

std::string change_text(const Settings& from, const Settings& to) {
  std::vector<std::string> changes;
  for (const auto& [name, value] : to) {
    const auto old = from.find(name);
    if (old != from.end() && old->second == value) continue;
    changes.push_back(fmt::format("{} = {}", name, value));
  }
  return join(changes, ", ");
}

}  // namespace

std::string Performer::space_of(const std::string& kernel) const {
  const auto choices = scan_choices(kernel, kKernelFile);
  if (!choices || choices->tunables.empty()) return {};
  return space_digest(kernel, *choices);
}

Result<Event> Performer::operator()(const SweepTunables& action) {
  const Round& best = *state_.best();
  const auto& known = observations_so_far(state_.sweep(best.started.space));
  const Path file = paths_.job_candidate(best.started.job);
  FORGE_TRY(const auto kernel, context_.fs.read(file));
  const auto choices = scan_choices(kernel, file.string());
  if (!choices) return Event(no_sweep(best, choices.error().message()));
  const auto space = kernel_space(*choices, problem_);
  if (!space) return Event(no_sweep(best, space.error().message()));
  if (action.budget == SweepBudget::kSpent) {
    return Event(end_of(best, *space, known, "its share of the hours is spent"));
  }
  SearchPlan plan;
  plan.seed = state_.created->seed;
  SearchProposal proposal = propose_search(*space, known, plan);
  if (!proposal.done.empty()) return Event(end_of(best, *space, known, std::move(proposal.done)));
  return measure_values(action.job, best, *space, proposal.requests);
}

Result<Event> Performer::measure_values(int job, const Round& best, const Space& space,
                                        const std::vector<SearchRequest>& requests) {
  const auto& known = observations_so_far(state_.sweep(best.started.space));
  const SweepOrder sweep{paths_.job_candidate(best.started.job), best.started.settings, requests,
                         known_artefacts(known, requests)};
  FORGE_TRY(const auto shared, basis());
  const auto seeds = round_seeds(secrets_, state_.created->seed, job);
  FORGE_TRY(auto outcome, jobs_.run(sweep_job(shared, job, sweep, seeds)));
  if (const auto* error = std::get_if<Error>(&outcome)) {
    return Event(end_of(best, space, known, error->message()));
  }
  const auto* body = std::get_if<SweepResult>(&std::get<JobResult>(outcome).body);
  if (body == nullptr) return Event(end_of(best, space, known, "its job answered something else"));
  auto observations = observations_of(*body, job, requests);
  if (!observations) return Event(end_of(best, space, known, observations.error().message()));
  if (observations->empty()) {
    return Event(end_of(best, space, known, "the machine says nothing about what it measures"));
  }
  return Event(Swept{job, best.started.space, best.started.settings, std::move(*observations)});
}

Result<Event> Performer::operator()(const OpenSweepRound& action) {
  const Round& best = *state_.best();
  const SweepEnded& ended = *state_.sweep(best.started.space)->ended;
  FORGE_TRY(auto kernel, tree_kernel());
  FORGE_TRY(const auto choices, scan_choices(kernel, paths_.tree_kernel().string()));
  kernel = with_defaults(kernel, choices.tunables, ended.advised);
  FORGE_TRY_STATUS(context_.fs.write_atomic(paths_.tree_kernel(), kernel));
  RoundStarted event = round_with(kernel, action.round, action.job);
  event.row = kSweepRow;
  event.parent = state_.head;
  event.tried = change_text(best.started.settings, ended.advised);
  FORGE_TRY(event.commit,
            tree_.commit(fmt::format("round {}: sweep, {}", action.round, event.tried)));
  return Event(std::move(event));
}

}  // namespace forge
