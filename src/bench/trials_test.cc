#include "bench/trials.h"

#include <gmock/gmock.h>

#include <cmath>

#include "bench/fake_arm.h"

namespace forge {
namespace {

using ::testing::ElementsAre;

class TrialsTest : public ::testing::Test {
 protected:
  static TrialPlan plan(int pairs, int calls, int warmups) {
    TrialPlan plan;
    ShapeContents contents;
    for (int i = 0; i < (pairs + warmups) * calls; ++i) contents.group_of.push_back(0);
    plan.contents = {contents, contents};
    plan.schedules = {{pairs, calls, warmups}, {pairs, calls, warmups}};
    return plan;
  }

  std::vector<std::string> log_;
  Random random_{11};
};

TEST_F(TrialsTest, TimesAreNanosecondsACall) {
  FakeArm fast("fast", log_, [](const Call& call) { return call.shape == 0 ? 100.0 : 1000.0; });
  FakeArm slow("slow", log_, [](const Call& call) { return call.shape == 0 ? 200.0 : 8000.0; });
  const auto outcome = run_trial({&fast, &slow}, plan(3, 4, 1), random_);
  const auto* times = std::get_if<TrialTimes>(&outcome);
  ASSERT_NE(times, nullptr);
  for (int pair = 0; pair < 3; ++pair) {
    EXPECT_THAT((*times)[0][pair], ElementsAre(100.0, 200.0));
    EXPECT_THAT((*times)[1][pair], ElementsAre(1000.0, 8000.0));
  }
  const TrialContrast ratio = contrast(*times, 0, 1);
  EXPECT_DOUBLE_EQ(std::exp(ratio.by_shape[0]), 2.0);
  EXPECT_DOUBLE_EQ(std::exp(ratio.by_shape[1]), 8.0);
  EXPECT_DOUBLE_EQ(std::exp(ratio.over_shapes), 4.0) << "the geometric mean of 2 and 8";
}

TEST_F(TrialsTest, AllArmsArePreparedThenMeasuredBackToBackThenVerified) {
  FakeArm one("one", log_, [](const Call&) { return 1.0; });
  TrialPlan single = plan(1, 1, 0);
  single.contents.pop_back();
  single.schedules.pop_back();
  run_trial({&one}, single, random_);
  EXPECT_THAT(
      log_, ElementsAre("one set_up", "one prepare", "one measure", "one verify", "one tear_down"));
}

TEST_F(TrialsTest, AFaultNamesItsArmAndStillTearsEveryArmDown) {
  for (const char* action : {"set_up", "prepare", "measure", "verify"}) {
    log_.clear();
    FakeArm honest("honest", log_, [](const Call&) { return 1.0; });
    FakeArm broken("broken", log_, [](const Call&) { return 1.0; });
    broken.fail_at(action);
    const auto outcome = run_trial({&honest, &broken}, plan(2, 1, 0), random_);
    const auto* fault = std::get_if<FaultOf>(&outcome);
    ASSERT_NE(fault, nullptr) << action;
    EXPECT_EQ(fault->arm, 1);
    EXPECT_EQ(fault->fault.reason, std::string(action) + " failed");
    ASSERT_GE(log_.size(), 2u);
    EXPECT_EQ(log_[log_.size() - 2], "honest tear_down") << action;
    EXPECT_EQ(log_.back(), "broken tear_down") << action;
  }
}

TEST_F(TrialsTest, WarmUpsAreMeasuredAndNotCounted) {
  int calls = 0;
  FakeArm arm("arm", log_, [&](const Call&) { return ++calls <= 2 ? 1e9 : 5.0; });
  const auto outcome = run_trial({&arm}, plan(3, 1, 1), random_);
  const auto* times = std::get_if<TrialTimes>(&outcome);
  ASSERT_NE(times, nullptr);
  for (const auto& shape : *times) {
    for (const auto& pair : shape) EXPECT_EQ(pair[0], 5.0);
  }
}

}  // namespace
}  // namespace forge
