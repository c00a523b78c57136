#include "search/exhaustive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace forge {
namespace {

Space two_by_three() {
  Space space;
  space.parameters = {{"kA", ParameterKind::kTuning, {"1", "2"}, 0},
                      {"kB", ParameterKind::kTuning, {"1", "2", "3"}, 0}};
  return space;
}

const std::vector<ExhaustiveStage> kStages = {{1, 2}, {0.3, 5}};

// Measures whatever is asked for; kA = 2, kB = 3 is the best, kB = 2 fails.
std::vector<Observation> run(int& jobs) {
  const Space space = two_by_three();
  std::vector<Observation> observations;
  for (jobs = 0; jobs < 100; ++jobs) {
    const auto proposal = propose_exhaustive(space, observations, 1, 4, kStages);
    if (!proposal.done.empty()) break;
    for (const auto& request : proposal.requests) {
      Observation made{request.settings, jobs, "", "", {}};
      if (request.settings.at("kB") == "2") made.failure = "wrong";
      for (int i = 0; i < request.trials && made.failure.empty(); ++i) {
        const double value =
            std::stod(request.settings.at("kA")) * std::stod(request.settings.at("kB"));
        made.trials.push_back({value, value});
      }
      observations.push_back(std::move(made));
    }
  }
  return observations;
}

TEST(Exhaustive, MeasuresEveryPointAndTheBestAgain) {
  int jobs = 0;
  const auto observations = run(jobs);
  std::map<std::string, int> trials;
  for (const auto& each : observations) {
    trials[each.settings.at("kA") + each.settings.at("kB")] += static_cast<int>(each.trials.size());
  }
  EXPECT_EQ(trials, (std::map<std::string, int>{
                        {"11", 2}, {"12", 0}, {"13", 5}, {"21", 2}, {"22", 0}, {"23", 5}}));
  EXPECT_EQ(jobs, 3);
  EXPECT_EQ(measurements_of(observations), 16);
}

TEST(Exhaustive, MeasuresAProgramOnce) {
  const Space space = two_by_three();
  std::vector<Observation> observations;
  const auto points = space.points(10);
  for (const Point& point : *points) {
    observations.push_back({space.settings(point), 0, "", "same", {}});
  }
  EXPECT_FALSE(propose_exhaustive(space, observations, 1, 4, kStages).done.empty());
}

TEST(Exhaustive, RefusesASpaceThatIsTooLarge) {
  EXPECT_THAT(propose_exhaustive(two_by_three(), {}, 1, 4, kStages, 5).done,
              testing::HasSubstr("more than 5 points"));
}

TEST(Observation, ComesBackThroughJson) {
  const Observation made{{{"kA", "1"}, {"kB[1]", "2"}}, 7, "wrong", "abc", {{0.5, -1.25}, {0, 1}}};
  const Json json = to_json(made);
  const auto back = observation_from_json(JsonReader(json, "it"));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(to_json(*back), json);
  EXPECT_EQ(back->trials, made.trials);
}

}  // namespace
}  // namespace forge
