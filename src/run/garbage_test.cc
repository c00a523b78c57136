#include "run/garbage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using testing::Contains;
using testing::Not;
using testing::UnorderedElementsAre;

Round round(int number, int job, bool judged) {
  Round out;
  out.started.round = number;
  out.started.job = job;
  if (judged) out.judged.emplace().round = number;
  return out;
}

State three_rounds() {
  State state;
  state.judge.emplace().job = 1;
  state.baseline.emplace().job = 2;
  state.rounds = {round(1, 3, true), round(2, 4, true), round(3, 5, false)};
  state.bests = {1};
  state.turns = 2;
  return state;
}

const RunPaths kPaths("run");

TEST(Garbage, OfARunThatGoesOnIsWhatEveryBundleRepeats) {
  EXPECT_THAT(garbage(three_rounds(), kPaths),
              UnorderedElementsAre("run/jobs/0001/bundle/problem", "run/jobs/0001/bundle/work",
                                   "run/jobs/0002/bundle/problem", "run/jobs/0002/bundle/work",
                                   "run/jobs/0003/bundle/problem", "run/jobs/0003/bundle/work",
                                   "run/jobs/0004/bundle/problem", "run/jobs/0004/bundle/work"))
      << "round 3 is not judged: its job may still run";
}

TEST(Garbage, OfAFinishedRunAreAllBundlesButTheBestsAndItsConfirmations) {
  State state = three_rounds();
  state.rounds.back().judged.emplace();
  Confirmed confirmed;
  confirmed.job = 6;
  confirmed.round = 1;
  state.confirmations = {confirmed};
  state.finished.emplace();
  const auto paths = garbage(state, kPaths);
  for (const char* gone : {"run/jobs/0001/bundle", "run/jobs/0004/bundle", "run/jobs/0005/bundle",
                           "run/turns/0001/view", "run/turns/0002/view",
                           "run/jobs/0003/bundle/problem", "run/jobs/0006/bundle/work"}) {
    EXPECT_THAT(paths, Contains(gone));
  }
  EXPECT_THAT(paths, Not(Contains("run/jobs/0003/bundle")));
  EXPECT_THAT(paths, Not(Contains("run/jobs/0006/bundle")));
}

TEST(Garbage, OfARunThatHasNotBegunIsNothing) { EXPECT_TRUE(garbage(State{}, kPaths).empty()); }

}  // namespace
}  // namespace forge
