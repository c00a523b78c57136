#include "run/garbage.h"

#include <set>

namespace forge {
namespace {

std::set<int> collected_jobs(const State& state) {
  std::set<int> jobs;
  if (state.judge) jobs.insert(state.judge->job);
  if (state.baseline) jobs.insert(state.baseline->job);
  for (const Round& round : state.rounds) {
    if (round.judged) jobs.insert(round.started.job);
  }
  for (const Confirmed& confirmed : state.confirmations) jobs.insert(confirmed.job);
  return jobs;
}

std::set<int> jobs_of_best(const State& state) {
  std::set<int> jobs;
  if (const Round* best = state.best()) jobs.insert(best->started.job);
  if (const Confirmed* confirmed = state.confirmation()) jobs.insert(confirmed->job);
  return jobs;
}

}  // namespace

std::vector<Path> garbage(const State& state, const RunPaths& paths) {
  std::vector<Path> out;
  const std::set<int> kept = jobs_of_best(state);
  for (const int job : collected_jobs(state)) {
    if (job == 0) continue;  // a verdict that was taken over from an equal artefact
    const Path bundle = paths.job_bundle(job);
    if (state.finished && kept.count(job) == 0) {
      out.push_back(bundle);
    } else {
      out.push_back(bundle / "problem");
      out.push_back(bundle / "work");
    }
  }
  if (!state.finished) return out;
  for (int turn = 1; turn <= state.turns; ++turn) out.push_back(paths.turn_view(turn));
  return out;
}

}  // namespace forge
