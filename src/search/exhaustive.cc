#include "search/exhaustive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace forge {
namespace {

struct Known {
  int trials = 0;
  double sum = 0;
  bool settled = false;  // it failed, or another point has the same program
  double mean() const { return trials > 0 ? sum / trials : -std::numeric_limits<double>::max(); }
};

double mean_of(const std::vector<double>& trial) {
  double sum = 0;
  for (const double value : trial) sum += value;
  return trial.empty() ? 0 : sum / static_cast<double>(trial.size());
}

std::map<Point, Known> summarise(const Space& space, const std::vector<Observation>& observations) {
  std::map<Point, Known> known;
  for (const Observation& each : observations) {
    const auto point = space.point(each.settings);
    if (!point) continue;
    Known& entry = known[*point];
    entry.settled = !each.failure.empty() || (each.trials.empty() && entry.trials == 0);
    for (const auto& trial : each.trials) {
      ++entry.trials;
      entry.sum += mean_of(trial);
    }
  }
  return known;
}

// The stage's points, the best first.
std::vector<Point> best_of(std::vector<Point> points, std::map<Point, Known>& known, double share) {
  std::stable_sort(points.begin(), points.end(), [&](const Point& a, const Point& b) {
    return known[a].mean() > known[b].mean();
  });
  const auto count = std::ceil(share * static_cast<double>(points.size()));
  points.resize(static_cast<std::size_t>(count));
  return points;
}

}  // namespace

SearchProposal propose_exhaustive(const Space& space, const std::vector<Observation>& observations,
                                  std::uint64_t seed, std::size_t batch,
                                  const std::vector<ExhaustiveStage>& stages, std::size_t most) {
  const auto points = space.points(most);
  if (!points) return {{}, fmt::format("there are more than {} points", most)};
  auto known = summarise(space, observations);
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    auto chosen = best_of(*points, known, stages[stage].share);
    std::erase_if(chosen, [&](const Point& point) {
      return known[point].settled || known[point].trials >= stages[stage].trials;
    });
    if (chosen.empty()) continue;
    // Neighbours of each other must not share all their trials, and with them one start's noise.
    Random(seed, fmt::format("exhaustive stage {}", stage)).shuffle(chosen);
    SearchProposal proposal;
    for (std::size_t i = 0; i < std::min(batch, chosen.size()); ++i) {
      proposal.requests.push_back(
          {space.settings(chosen[i]), stages[stage].trials - known[chosen[i]].trials});
    }
    return proposal;
  }
  return {{}, "every point was measured"};
}

}  // namespace forge
