#include "search/model_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "search/candidates.h"
#include "search/duds.h"
#include "search/outlook.h"

namespace forge {
namespace {

constexpr std::size_t kMostCandidates = 2000;
constexpr std::size_t kGoodPoints = 8;
// Who is ahead by less than this, of log time, is not worth the trials that it takes to find out.
constexpr double kSpare = 0.01;
// Below this chance to be of use, a point is looked at if it promises enough, but not waited for.
constexpr double kLikelyDud = 0.25;
// Two trials of noisy points may be worth more than twice one: a step must be large enough to
// matter.
constexpr int kTrialChoices[] = {1, 2, 4, 8, 16};

double normal_density(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi); }
double normal_above(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

// What a normal variable with this mean and sd is expected to be above 0.
double expected_excess(double mean, double sd) {
  if (!(sd > 0)) return std::max(mean, 0.0);
  const double z = std::abs(mean) / sd;
  return std::max(mean, 0.0) + sd * (normal_density(z) - z * normal_above(z));
}

struct Choice {
  std::size_t candidate = 0;
  int trials = 1;
  double gain_per_trial = -1;
};

// Of all points: which measurement is worth most, and what the best known one is expected to lose.
class Chooser {
 public:
  Chooser(const Ledger& ledger, const Outlook& outlook, std::vector<Point> points)
      : points_(std::move(points)), forecast_(outlook, points_) {
    const Duds duds(ledger);
    for (const Point& point : points_) {
      known_.push_back(ledger.works(point));
      dud_.push_back(ledger.knows(point) && !ledger.works(point));
      of_use_.push_back(known_.back() ? 1 : duds.chance_of_use(point));
    }
    find_best_known();
  }

  // The measurement that is worth most for its price; nothing if none is worth anything.
  std::optional<Choice> choose(const Point& start, int most_trials) const {
    Choice best{0, 1, 0};
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (dud_[i] || points_[i] == start) continue;
      for (const int trials : kTrialChoices) {
        if (trials > most_trials || (!known_[i] && trials > 1)) break;
        const double gain = gain_of(i, trials);
        if (gain / trials > best.gain_per_trial) best = {i, trials, gain / trials};
      }
    }
    if (best.gain_per_trial <= 0) return std::nullopt;
    return best;
  }

  // Of what differs from the best known point in one value and was not tried: what is worth most.
  // What is likely to be a dud is left.
  std::optional<Choice> choose_neighbour() const {
    Choice best;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (known_[i] || unlikely(i) || distance(points_[i], points_[best_]) != 1) continue;
      if (gain_of(i, 1) > best.gain_per_trial) best = {i, 1, gain_of(i, 1)};
    }
    if (best.gain_per_trial < 0) return std::nullopt;
    return best;
  }

  // By how much the best known point is expected to be slower than another, by more than `spare`:
  // summed over all others that are no likely duds; what the fastest of them is ahead is less.
  double expected_loss(double spare) const {
    double loss = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (unlikely(i) || i == best_) continue;
      const double ahead = forecast_.mean(best_) - forecast_.mean(i) - spare;
      loss += of_use_[i] * expected_excess(ahead, forecast_.difference_sd(i, best_));
    }
    return loss;
  }

  const Point& point(std::size_t candidate) const { return points_[candidate]; }

  // It is as good as measured: what comes of it is not known yet.
  void plan(const Choice& choice) {
    forecast_.plan(choice.candidate, choice.trials);
    known_[choice.candidate] = true;
    find_best_known();
  }

 private:
  bool unlikely(std::size_t i) const { return dud_[i] || of_use_[i] < kLikelyDud; }

  double gain_of(std::size_t i, int trials) const {
    const std::size_t rival = i == best_ ? second_ : best_;
    const double ahead = forecast_.mean(rival) - forecast_.mean(i);
    // What may be recommended already has what it is ahead; the best's rival is behind it.
    const double has = known_[i] ? std::max(ahead, 0.0) : 0;
    return of_use_[i] * (expected_excess(ahead, forecast_.expected_change(i, trials)) - has);
  }

  void find_best_known() {
    best_ = second_ = points_.size();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (!known_[i]) continue;
      if (second_ == points_.size() || forecast_.mean(i) < forecast_.mean(second_)) second_ = i;
      const bool first = best_ == points_.size();
      if (first || forecast_.mean(second_) < forecast_.mean(best_)) std::swap(best_, second_);
    }
    if (second_ == points_.size()) second_ = best_;
  }

  std::vector<Point> points_;
  Forecast forecast_;
  std::vector<bool> known_;  // measured and right, or planned to be; the start is
  std::vector<bool> dud_;
  std::vector<double> of_use_;
  std::size_t best_ = 0;  // of those that are known
  std::size_t second_ = 0;
};

// Points that were measured and work, the best first.
std::vector<std::pair<double, Point>> ranked(const Ledger& ledger, const Outlook& outlook) {
  std::vector<Point> points;
  for (const auto& [point, evidence] : ledger.points()) {
    if (ledger.works(point)) points.push_back(point);
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
  return std::clamp<std::size_t>(free, 4, 15);
}

// Hints, then points far from each other: what the first beliefs rest on. They need not be far
// from the start, whose values are as good as any.
SearchProposal first_points(const Space& space, const Ledger& ledger, const SearchPlan& plan,
                            std::size_t wanted) {
  Random random(plan.seed, fmt::format("first points, {} known", ledger.measured()));
  std::vector<Point> taken;
  for (const auto& [point, evidence] : ledger.points()) {
    if (point != space.start()) taken.push_back(point);
  }
  std::vector<Point> chosen;
  for (const Point& hint : plan.hints) {
    if (!ledger.knows(hint) && space.allows(hint)) chosen.push_back(hint);
  }
  if (chosen.size() > wanted) chosen.resize(wanted);
  taken.insert(taken.end(), chosen.begin(), chosen.end());
  auto pool = candidate_points(space, {}, kMostCandidates, random);
  std::erase(pool, space.start());
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
  const bool settled = chooser.expected_loss(kSpare) < plan.least_gain;
  // So many decisions, not so many points: what comes of a job's trials is known after it only.
  for (std::size_t made = 0; made < plan.batch && left > 0; ++made) {
    // Over-confidence about what lies closest is what costs most.
    const auto choice = settled ? chooser.choose_neighbour() : chooser.choose(space.start(), left);
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
    proposal.done = "no other combination is expected to be 1 % faster";
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
      const double behind = outlook.belief(ledger.original(other)).mean - order.front().first;
      price.loss = std::max(price.loss, behind);
      price.headroom = std::max(price.headroom, -behind);
      price.measured += ledger.works(ledger.original(other)) ? 1 : 0;
    }
    prices.push_back(std::move(price));
  }
  return prices;
}

}  // namespace forge
