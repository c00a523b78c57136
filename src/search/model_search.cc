#include "search/model_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/random.h"
#include "search/candidates.h"
#include "search/failures.h"
#include "search/outlook.h"

namespace forge {
namespace {

constexpr std::size_t kMostCandidates = 2000;
constexpr std::size_t kGoodPoints = 8;
// Two trials of noisy points may be worth more than twice one: a step must be large enough to
// matter.
constexpr int kTrialChoices[] = {1, 2, 4, 8, 16};

double normal_density(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi); }
double normal_above(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

// By how much the best of two is expected to be better once the one that lies `gap` behind or ahead
// has changed by a normal step of this sd.
double expected_gain(double gap, double change) {
  if (!(change > 0)) return 0;
  const double z = std::abs(gap) / change;
  return change * (normal_density(z) - z * normal_above(z));
}

struct Choice {
  std::size_t candidate = 0;
  int trials = 1;
  double gain_per_trial = -1;
};

class Chooser {
 public:
  Chooser(const Ledger& ledger, const Outlook& outlook, std::vector<Point> points)
      : points_(std::move(points)), forecast_(outlook, points_), failures_(ledger) {
    for (const Point& point : points_) {
      known_.push_back(ledger.works(point));
      failed_.push_back(ledger.knows(point) && !ledger.works(point));
      works_.push_back(failures_.chance_to_work(point));
    }
  }

  // The measurement that is worth most for its price; nothing if that is less than `least_gain`.
  std::optional<Choice> choose(const Point& start, int most_trials, double least_gain) {
    find_best_known();
    Choice best;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (failed_[i] || points_[i] == start) continue;
      const double other = i == best_ ? second_mean_ : best_mean_;
      for (const int trials : kTrialChoices) {
        if (trials > most_trials || (!known_[i] && trials > 1)) break;
        const double ahead = other - forecast_.mean(i);
        // Only what was measured is recommended: believed to be better is not enough.
        const double won = known_[i] ? 0 : std::max(ahead, 0.0);
        const double gain =
            works_[i] * (won + expected_gain(ahead, forecast_.expected_change(i, trials)));
        if (gain / trials > best.gain_per_trial) best = {i, trials, gain / trials};
      }
    }
    if (best.gain_per_trial < least_gain) return std::nullopt;
    return best;
  }

  const Point& point(std::size_t candidate) const { return points_[candidate]; }

  // It is as good as measured: what comes of it is not known yet.
  void plan(const Choice& choice) {
    forecast_.plan(choice.candidate, choice.trials);
    known_[choice.candidate] = true;
  }

 private:
  void find_best_known() {
    best_mean_ = second_mean_ = std::numeric_limits<double>::infinity();
    best_ = points_.size();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (!known_[i] || forecast_.mean(i) >= second_mean_) continue;
      second_mean_ = forecast_.mean(i);
      if (second_mean_ < best_mean_) {
        std::swap(best_mean_, second_mean_);
        best_ = i;
      }
    }
    // The start is always there to fall back on.
    if (std::isinf(second_mean_)) second_mean_ = 0;
    if (std::isinf(best_mean_)) best_mean_ = 0;
  }

  std::vector<Point> points_;
  Forecast forecast_;
  Failures failures_;
  std::vector<bool> known_;  // measured and right, or planned to be
  std::vector<bool> failed_;
  std::vector<double> works_;
  std::size_t best_ = 0;
  double best_mean_ = 0;
  double second_mean_ = 0;
};

// Working points, the best first.
std::vector<std::pair<double, Point>> ranked(const Ledger& ledger, const Outlook& outlook) {
  std::vector<Point> points;
  for (const auto& [point, evidence] : ledger.points()) {
    if (!evidence.failed) points.push_back(point);
  }
  const Forecast forecast(outlook, points);
  std::vector<std::pair<double, Point>> order;
  for (std::size_t i = 0; i < points.size(); ++i) order.emplace_back(forecast.mean(i), points[i]);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return order;
}

std::size_t design_size(const Space& space) {
  std::size_t free = 0;
  for (const Parameter& parameter : space.parameters) free += parameter.values.size() > 1 ? 1 : 0;
  return std::clamp<std::size_t>(free + 1, 4, 15);
}

// Hints, then points far from each other: what the first beliefs rest on.
SearchProposal first_points(const Space& space, const Ledger& ledger, const SearchPlan& plan,
                            std::size_t wanted) {
  Random random(plan.seed, fmt::format("first points, {} known", ledger.measured()));
  std::vector<Point> taken;
  for (const auto& [point, evidence] : ledger.points()) taken.push_back(point);
  std::vector<Point> chosen;
  for (const Point& hint : plan.hints) {
    if (!ledger.knows(hint) && space.allows(hint)) chosen.push_back(hint);
  }
  if (chosen.size() > wanted) chosen.resize(wanted);
  taken.insert(taken.end(), chosen.begin(), chosen.end());
  const auto pool = candidate_points(space, {}, kMostCandidates, random);
  for (Point& point : spread_points(pool, taken, wanted - chosen.size(), random)) {
    chosen.push_back(std::move(point));
  }
  SearchProposal proposal;
  for (const Point& point : chosen) proposal.requests.push_back({space.settings(point), 1});
  if (chosen.empty()) proposal.done = "every configuration was measured";
  return proposal;
}

}  // namespace

SearchProposal propose_search(const Space& space, const std::vector<Observation>& observations,
                              const SearchPlan& plan) {
  if (plan.measurements_left <= 0) return {{}, "the measurements are spent"};
  const Ledger ledger(space, observations);
  const auto first = design_size(space);
  if (ledger.measured() < static_cast<int>(first)) {
    const auto missing = first - static_cast<std::size_t>(ledger.measured());
    return first_points(space, ledger, plan,
                        std::min(missing, static_cast<std::size_t>(plan.measurements_left)));
  }
  const Outlook outlook(space, ledger);
  Random random(plan.seed, fmt::format("step after {}", observations.size()));
  std::vector<Point> good;
  for (const auto& [mean, point] : ranked(ledger, outlook)) {
    if (good.size() < kGoodPoints) good.push_back(point);
  }
  auto points = candidate_points(space, good, kMostCandidates, random);
  for (const auto& [point, evidence] : ledger.points()) points.push_back(point);
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  Chooser chooser(ledger, outlook, std::move(points));
  SearchProposal proposal;
  int left = plan.measurements_left;
  // So many decisions, not so many points: what comes of a job's trials is known after it only.
  for (std::size_t made = 0; made < plan.batch && left > 0; ++made) {
    const auto choice = chooser.choose(space.start(), left, plan.least_gain);
    if (!choice) break;
    chooser.plan(*choice);
    left -= choice->trials;
    const auto settings = space.settings(chooser.point(choice->candidate));
    const auto same = std::find_if(proposal.requests.begin(), proposal.requests.end(),
                                   [&](const auto& each) { return each.settings == settings; });
    if (same == proposal.requests.end()) {
      proposal.requests.push_back({settings, choice->trials});
    } else {
      same->trials += choice->trials;
    }
  }
  if (proposal.requests.empty()) {
    proposal.done = fmt::format("no measurement is expected to gain {:g} %", plan.least_gain * 100);
  }
  return proposal;
}

Recommendation recommend(const Space& space, const std::vector<Observation>& observations) {
  const Ledger ledger(space, observations);
  const Outlook outlook(space, ledger);
  const auto order = ranked(ledger, outlook);
  const Point best = order.front().first < 0 ? order.front().second : space.start();
  const Belief belief = outlook.belief(best);
  return {best, -belief.mean, belief.sd, ledger.points().at(best).trials()};
}

std::vector<Price> prices(const Space& space, const std::vector<Observation>& observations) {
  const Ledger ledger(space, observations);
  const Outlook outlook(space, ledger);
  const auto order = ranked(ledger, outlook);
  const Point best = order.front().second;
  std::vector<Price> prices;
  for (std::size_t p = 0; p < space.parameters.size(); ++p) {
    Price price{space.parameters[p].name, 0, 0, 0};
    Point other = best;
    for (std::size_t value = 0; value < space.parameters[p].values.size(); ++value) {
      other[p] = static_cast<std::uint16_t>(value);
      if (other == best || !space.allows(other)) continue;
      const double behind = outlook.belief(other).mean - order.front().first;
      price.loss = std::max(price.loss, behind);
      price.headroom = std::max(price.headroom, -behind);
      price.measured += ledger.works(other) ? 1 : 0;
    }
    prices.push_back(std::move(price));
  }
  return prices;
}

}  // namespace forge
