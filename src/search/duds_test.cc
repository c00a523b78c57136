#include "search/duds.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

// The start is (0, 0); each of three values of two parameters.
class DudsTest : public testing::Test {
 protected:
  DudsTest() {
    space_.parameters = {{"kA", ParameterKind::kTuning, {"1", "2", "3"}, 0},
                         {"kB", ParameterKind::kTuning, {"1", "2", "3"}, 0}};
  }

  void add(const Point& point, std::string failure, std::string artefact, int trials) {
    Observation made{space_.settings(point), 1, std::move(failure), std::move(artefact), {}};
    made.trials.assign(static_cast<std::size_t>(trials), {0.1});
    observations_.push_back(std::move(made));
  }

  double chance(const Point& point) const {
    return Duds(Ledger(space_, observations_)).chance_of_use(point);
  }

  Space space_;
  std::vector<Observation> observations_;
};

TEST_F(DudsTest, BeforeAnythingFailedEverythingMayWork) {
  EXPECT_EQ(chance({2, 2}), 1);
  add({1, 1}, "", "a", 1);
  EXPECT_EQ(chance({1, 2}), 1);
}

TEST_F(DudsTest, WhatFailedWithAValueMayFailAgain) {
  add({1, 0}, "wrong", "", 0);
  add({1, 1}, "wrong", "", 0);
  add({0, 1}, "", "a", 1);
  EXPECT_LT(chance({1, 2}), 0.3);
  EXPECT_EQ(chance({2, 2}), 1);
}

TEST_F(DudsTest, WhereAllWereOneProgramTheNextIsTheSame) {
  add({1, 0}, "", "a", 1);
  add({1, 1}, "", "a", 0);
  add({2, 0}, "", "b", 1);
  add({2, 1}, "", "c", 1);
  EXPECT_LT(chance({1, 2}), 0.3);
  EXPECT_EQ(chance({2, 2}), 1);
}

TEST_F(DudsTest, ATwinOfTheStartHasNoTrialsAtAll) {
  add({0, 1}, "", "a", 0);
  const Ledger ledger(space_, observations_);
  EXPECT_FALSE(ledger.works({0, 1}));
  EXPECT_EQ(ledger.original({0, 1}), space_.start());
  EXPECT_LT(chance({0, 2}), 0.3);
}

}  // namespace
}  // namespace forge
