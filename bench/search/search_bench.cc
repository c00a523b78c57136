// Replays recorded spaces: our search beside random and exhaustive search, 20 seeds each.
//
//   search_bench OUT.json SPACE.json...
//
// Two replays: recorded values played back as they are, which is how other tuners simulate too, and
// the same with the recorded noise. Prints the measurements after which the recommendation is and
// stays within 2 % of the best of all configurations; writes the curves for bench/search.py.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "search/model_search.h"
#include "search/replay.h"

namespace forge {
namespace {

constexpr int kSeeds = 20;
constexpr int kBudget = 80;         // played back
constexpr int kNoisyBudget = 1500;  // with noise, where measuring again is most of the work
const std::size_t kBatch = SearchPlan().batch;
const double kGoal = std::log(1.02);

// (measurements so far, regret of the recommendation)
using Curve = std::vector<std::pair<int, double>>;

enum class Stopping { kEarly, kBudgetOnly };

Curve model_curve(const RecordedSpace& recorded, ReplayNoise noise, std::uint64_t seed,
                  Stopping stopping, std::size_t batch) {
  Replay replay(recorded, noise, seed);
  std::vector<Observation> observations;
  Curve curve;
  while (true) {
    SearchPlan plan;
    plan.seed = seed;
    plan.batch = batch;
    const int budget = noise == ReplayNoise::kNone ? kBudget : kNoisyBudget;
    plan.measurements_left = budget - looks_of(observations);
    if (stopping == Stopping::kBudgetOnly) plan.least_gain = 0;
    const auto proposal = propose_search(recorded.space, observations, plan);
    if (!proposal.done.empty()) break;
    for (Observation& each : replay.measure(proposal.requests)) {
      observations.push_back(std::move(each));
    }
    const Point best = recommend(recorded.space, observations).point;
    curve.emplace_back(looks_of(observations), recorded.regret(best));
    // Played back, the best of all stays the best.
    const bool is_over = noise == ReplayNoise::kNone && stopping == Stopping::kBudgetOnly;
    if (is_over && curve.back().second <= 0) break;
  }
  return curve;
}

// Whole space in some order, each program as often; the best mean is recommended.
Curve blind_curve(const RecordedSpace& recorded, ReplayNoise noise, std::vector<Point> order,
                  std::uint64_t seed, int trials) {
  Replay replay(recorded, noise, seed);
  Curve curve;
  double best = 0;  // the start's own
  Point recommended = recorded.space.start();
  int spent = 0;
  for (const Point& point : order) {
    const auto made = replay.measure({{recorded.space.settings(point), trials}});
    double sum = 0;
    int count = 0;
    for (const auto& trial : made.front().trials) {
      for (const double value : trial) {
        sum -= value;
        ++count;
      }
    }
    spent += looks_of(made);
    if (count > 0 && sum / count < best) {
      best = sum / count;
      recommended = point;
    }
    curve.emplace_back(spent, recorded.regret(recommended));
  }
  return curve;
}

// After how many measurements the goal is reached for good; -1: never.
int settled(const Curve& curve) {
  int since = -1;
  for (const auto& [spent, regret] : curve) {
    if (regret > kGoal) {
      since = -1;
    } else if (since < 0) {
      since = spent;
    }
  }
  return since;
}

struct Summary {
  std::string strategy;
  std::vector<Curve> curves;
};

std::string median_text(std::vector<int> counts) {
  for (int& count : counts) count = count < 0 ? 1'000'000 : count;
  std::sort(counts.begin(), counts.end());
  const double middle = (counts[counts.size() / 2 - 1] + counts[counts.size() / 2]) / 2.0;
  return middle >= 500'000 ? "never" : fmt::format("{:.0f}", middle);
}

double final_regret(const std::vector<Curve>& curves) {
  std::vector<double> regrets;
  for (const Curve& curve : curves) regrets.push_back(curve.back().second);
  std::sort(regrets.begin(), regrets.end());
  return (regrets[regrets.size() / 2 - 1] + regrets[regrets.size() / 2]) / 2;
}

void print(const Summary& summary) {
  std::vector<int> counts;
  std::vector<int> spent;
  int reached = 0;
  for (const Curve& curve : summary.curves) {
    counts.push_back(settled(curve));
    spent.push_back(curve.back().first);
    reached += counts.back() >= 0 ? 1 : 0;
  }
  std::printf("  %-26s %8s measurements, %2d of %zu seeds; spent %s, then %.2f %% from the best\n",
              summary.strategy.c_str(), median_text(counts).c_str(), reached, summary.curves.size(),
              median_text(spent).c_str(), 100 * (std::exp(final_regret(summary.curves)) - 1));
}

Json curves_json(const Summary& summary) {
  Json curves = Json::array();
  for (const Curve& curve : summary.curves) {
    Json points = Json::array();
    double last = -1;
    for (const auto& [spent, regret] : curve) {
      if (regret == last && spent != curve.back().first) continue;
      last = regret;
      points.push_back(Json(Json::Array{spent, std::round(regret * 1e5) / 1e5}));
    }
    curves.push_back(std::move(points));
  }
  return Json::object().set("strategy", summary.strategy).set("curves", std::move(curves));
}

template <typename MakeCurve>
Json twenty(std::string strategy, MakeCurve make) {
  Summary summary{std::move(strategy), {}};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) summary.curves.push_back(make(seed));
  print(summary);
  return curves_json(summary);
}

std::vector<Point> shuffled(std::vector<Point> points, std::uint64_t seed) {
  Random(seed, "random search").shuffle(points);
  return points;
}

Result<Json> replay_space(FileReader& fs, const char* file) {
  FORGE_TRY(const RecordedSpace recorded, read_recorded_space(fs, file));
  std::printf("%s: %zu configurations\n", recorded.name.c_str(), recorded.points.size());
  const auto model = [&](ReplayNoise noise, Stopping stopping, std::size_t batch = kBatch) {
    return [&recorded, noise, stopping, batch](std::uint64_t seed) {
      return model_curve(recorded, noise, seed, stopping, batch);
    };
  };
  const auto random = [&](ReplayNoise noise, int trials) {
    return [&recorded, noise, trials](std::uint64_t seed) {
      return blind_curve(recorded, noise, shuffled(recorded.points, seed), seed, trials);
    };
  };
  Json strategies = Json::array();
  strategies.push_back(twenty("forge", model(ReplayNoise::kNone, Stopping::kBudgetOnly)));
  strategies.push_back(
      twenty("forge, one at a time", model(ReplayNoise::kNone, Stopping::kBudgetOnly, 1)));
  strategies.push_back(twenty("forge, early stop", model(ReplayNoise::kNone, Stopping::kEarly)));
  strategies.push_back(twenty("random", random(ReplayNoise::kNone, 1)));
  strategies.push_back(twenty("exhaustive", [&](std::uint64_t seed) {
    return blind_curve(recorded, ReplayNoise::kNone, recorded.points, seed, 1);
  }));
  strategies.push_back(
      twenty("forge, noise, early stop", model(ReplayNoise::kRecorded, Stopping::kEarly)));
  for (const int trials : {1, 2, 4, 8, 16}) {
    strategies.push_back(
        twenty(fmt::format("random, noise x{}", trials), random(ReplayNoise::kRecorded, trials)));
  }
  return Json::object()
      .set("space", recorded.name)
      .set("configurations", std::uint64_t{recorded.points.size()})
      .set("strategies", std::move(strategies));
}

}  // namespace
}  // namespace forge

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: search_bench OUT.json SPACE.json...\n");
    return 1;
  }
  const auto fs = forge::make_real_fs();
  forge::Json spaces = forge::Json::array();
  for (int i = 2; i < argc; ++i) {
    auto json = forge::replay_space(*fs, argv[i]);
    if (!json) {
      std::fprintf(stderr, "search_bench: %s\n", json.error().message().c_str());
      return 1;
    }
    spaces.push_back(std::move(*json));
  }
  const auto written = fs->write_atomic(argv[1], spaces.dump() + "\n");
  if (written) return 0;
  std::fprintf(stderr, "search_bench: %s\n", written.error().message().c_str());
  return 1;
}
