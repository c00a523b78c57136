#include "search/model_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "base/random.h"

namespace forge {
namespace {

using testing::HasSubstr;

// Two structures and three sizes, 2 * 3 * 5 * 5 * 4 = 600 points. The time is a bowl of the sizes
// whose bottom depends on the structure, with a floor that the start is far from.
class ModelSearch : public testing::Test {
 protected:
  ModelSearch() {
    space_.parameters = {
        {"kTwoPass", ParameterKind::kStructure, {"false", "true"}, 0, kEveryShape},
        {"kLayout", ParameterKind::kStructure, {"Rows", "Columns", "Tiles"}, 0, kEveryShape},
        {"kVec", ParameterKind::kTuning, {"1", "2", "4", "8", "16"}, 0, kEveryShape},
        {"kUnroll", ParameterKind::kTuning, {"1", "2", "4", "8", "16"}, 0, kEveryShape},
        {"kAhead", ParameterKind::kTuning, {"0", "1", "2", "3"}, 0, kEveryShape}};
  }

  // A space that was cut down leaves the rest at its start.
  static double log_time(Point p) {
    p.resize(5, 0);
    const double vec = p[0] == 1 ? 3 : 2;
    return 0.3 * (p[0] == 0) + 0.2 * (p[1] != 2) + 0.08 * std::abs(p[2] - vec) +
           0.06 * std::abs(p[3] - 2.0) + 0.03 * std::abs(p[4] - 1.0);
  }
  double best() const { return log_time({1, 2, 3, 2, 1}); }

  // One job: a start that errs by as much for all, and candidates that err by themselves.
  void measure(const SearchProposal& proposal) {
    const double start = log_time(space_.start());
    ++job_;
    for (const SearchRequest& request : proposal.requests) {
      const Point point = *space_.point(request.settings);
      Observation made{request.settings, job_, "", "", {}};
      made.artefact = program_(point);
      const auto timed = timed_.emplace(made.artefact, point).first->second;
      if (broken_(point)) {
        made.failure = "wrong";
      } else if (made.artefact.empty() || timed == point) {
        for (int trial = 0; trial < request.trials; ++trial) {
          made.trials.push_back({start - log_time(point) + noise_ * random_.normal()});
        }
      }
      observations_.push_back(std::move(made));
    }
  }

  std::string search(SearchPlan plan) {
    const int budget = plan.measurements_left;
    while (true) {
      plan.measurements_left = budget - measurements_of(observations_);
      const SearchProposal proposal = propose_search(space_, observations_, plan);
      if (!proposal.done.empty()) return proposal.done;
      measure(proposal);
    }
  }

  Space space_;
  std::vector<Observation> observations_;
  std::function<bool(const Point&)> broken_ = [](const Point&) { return false; };
  // Its digest; only the first point of a program is timed. Empty: like no other.
  std::function<std::string(const Point&)> program_ = [](const Point&) { return ""; };
  std::map<std::string, Point> timed_;
  double noise_ = 0.02;
  int job_ = 0;
  Random random_{3};
};

TEST_F(ModelSearch, FindsTheBestOf600WithAFewDozenMeasurementsAndStops) {
  SearchPlan plan;
  plan.measurements_left = 600;
  EXPECT_THAT(search(plan), HasSubstr("expected to be 1 % faster"));
  EXPECT_LT(measurements_of(observations_), 150);
  const Recommendation found = recommend(space_, observations_);
  EXPECT_LT(log_time(found.point) - best(), std::log(1.02));
  EXPECT_NEAR(found.log_gain, log_time(space_.start()) - log_time(found.point), 0.08);
}

TEST_F(ModelSearch, EqualSeedsAndObservationsGiveEqualProposals) {
  SearchPlan plan;
  plan.seed = 5;
  std::vector<std::vector<Observation>> runs;
  for (int run = 0; run < 2; ++run) {
    observations_.clear();
    job_ = 0;
    random_ = Random(3);
    plan.measurements_left = 30;
    search(plan);
    runs.push_back(observations_);
  }
  ASSERT_EQ(runs[0].size(), runs[1].size());
  for (std::size_t i = 0; i < runs[0].size(); ++i) {
    EXPECT_EQ(runs[0][i].settings, runs[1][i].settings) << "observation " << i;
  }
  SearchPlan other;
  other.seed = 6;
  const auto first = propose_search(space_, {}, plan).requests.front().settings;
  EXPECT_NE(propose_search(space_, {}, other).requests.front().settings, first);
}

TEST_F(ModelSearch, NeverSpendsMoreThanItsBudget) {
  for (const int budget : {1, 3, 11, 18}) {
    observations_.clear();
    SearchPlan plan;
    plan.measurements_left = budget;
    EXPECT_EQ(search(plan), "the measurements are spent");
    EXPECT_EQ(measurements_of(observations_), budget);
  }
}

TEST_F(ModelSearch, HintsComeFirst) {
  SearchPlan plan;
  plan.hints = {{1, 2, 3, 2, 1}};
  const auto proposal = propose_search(space_, {}, plan);
  EXPECT_EQ(space_.point(proposal.requests.front().settings), plan.hints.front());
}

TEST_F(ModelSearch, StaysAwayFromWhatFailsAndRecommendsNothingWrong) {
  // The fastest structure is wrong wherever kUnroll is more than 1.
  broken_ = [](const Point& p) { return p[0] == 1 && p[3] > 0; };
  SearchPlan plan;
  plan.measurements_left = 120;
  search(plan);
  int failed = 0;
  for (const Observation& each : observations_) failed += each.failure.empty() ? 0 : 1;
  EXPECT_LT(failed, 40) << "of " << measurements_of(observations_);
  const Recommendation found = recommend(space_, observations_);
  EXPECT_FALSE(broken_(found.point));
  EXPECT_GT(found.log_gain, 0.3);
}

// Without the second pass no size changes anything: half of the space is three programs.
TEST_F(ModelSearch, SoonLooksNoMoreWhereEverythingIsOneProgram) {
  program_ = [](const Point& p) {
    std::string name = std::to_string(p[1]);
    for (std::size_t i = 2; i < p.size() && p[0] == 1; ++i) name += "/" + std::to_string(p[i]);
    return name;
  };
  timed_[program_(space_.start())] = space_.start();
  SearchPlan plan;
  plan.measurements_left = 600;
  search(plan);
  int twins = 0;
  for (const Observation& each : observations_) twins += each.trials.empty() ? 1 : 0;
  EXPECT_GT(twins, 0);
  EXPECT_LT(twins, 30) << "of 297";
  EXPECT_LT(log_time(recommend(space_, observations_).point) - best(), std::log(1.02));
}

TEST_F(ModelSearch, EndsOnlyWhenEveryNeighbourOfTheBestWasTried) {
  SearchPlan plan;
  search(plan);
  std::set<Point> tried = {space_.start()};
  for (const Observation& each : observations_) tried.insert(*space_.point(each.settings));
  const Point found = recommend(space_, observations_).point;
  for (std::size_t p = 0; p < found.size(); ++p) {
    Point neighbour = found;
    for (std::size_t value = 0; value < space_.parameters[p].values.size(); ++value) {
      neighbour[p] = static_cast<std::uint16_t>(value);
      EXPECT_TRUE(tried.contains(neighbour)) << space_.parameters[p].name << " " << value;
    }
  }
}

TEST_F(ModelSearch, NeverMeasuresTheStartAnew) {
  SearchPlan plan;
  plan.measurements_left = 60;
  for (plan.seed = 1; plan.seed <= 20; ++plan.seed) {
    for (const SearchRequest& each : propose_search(space_, {}, plan).requests) {
      EXPECT_NE(space_.point(each.settings), space_.start());
    }
  }
}

TEST_F(ModelSearch, RequirementsAreKept) {
  space_.requirements.push_back(*Condition::parse("kVec * kUnroll <= 16"));
  SearchPlan plan;
  plan.measurements_left = 60;
  search(plan);
  for (const Observation& each : observations_) {
    EXPECT_TRUE(space_.allows(*space_.point(each.settings)));
  }
}

TEST_F(ModelSearch, ASpaceWithNothingToGainEndsAtTheStart) {
  space_.parameters.resize(1);
  broken_ = [](const Point&) { return true; };
  SearchPlan plan;
  EXPECT_FALSE(search(plan).empty());
  EXPECT_EQ(recommend(space_, observations_).point, space_.start());
}

// Ablation: the structure is worth most, the last size least.
TEST_F(ModelSearch, PricesOrderParametersByWhatTheyAreWorth) {
  SearchPlan plan;
  plan.measurements_left = 150;
  search(plan);
  const auto priced = prices(space_, observations_);
  ASSERT_EQ(priced.size(), 5u);
  EXPECT_EQ(priced[0].parameter, "kTwoPass");
  EXPECT_GT(priced[0].loss, priced[4].loss);
  EXPECT_GT(priced[1].loss, priced[4].loss);
  for (const Price& each : priced) EXPECT_LT(each.headroom, 0.05) << each.parameter;
}

// What is best for one class of shapes is found whatever the others have.
TEST_F(ModelSearch, ValuesByShapeAreTunedApart) {
  Space space;
  for (int shape_class = 0; shape_class < 2; ++shape_class) {
    space.parameters.push_back({"kVec[" + std::to_string(shape_class) + "]",
                                ParameterKind::kTuning,
                                {"1", "2", "4", "8", "16", "32", "64", "128"},
                                0,
                                shape_class});
  }
  space.shape_classes = {0, 1};
  std::vector<Observation> observations;
  SearchPlan plan;
  for (int job = 1; job < 40; ++job) {
    const auto proposal = propose_search(space, observations, plan);
    if (!proposal.done.empty()) break;
    for (const SearchRequest& request : proposal.requests) {
      const Point p = *space.point(request.settings);
      Observation made{request.settings, job, "", "", {}};
      for (int trial = 0; trial < request.trials; ++trial) {
        made.trials.push_back({0.1 * (6 - std::abs(p[0] - 6)) + 0.005 * random_.normal(),
                               0.1 * (2 - std::abs(p[1] - 2)) + 0.005 * random_.normal()});
      }
      observations.push_back(std::move(made));
    }
  }
  EXPECT_EQ(recommend(space, observations).point, (Point{6, 2}));
  EXPECT_LT(measurements_of(observations), 40) << "of 64 points, each of which tells of both";
}

}  // namespace
}  // namespace forge
