// Worker, replayer and what passes between them, whole, with a driver that pretends: what a kernel
// does is in its name (fake_libcuda.cc). Kernels are compiled and planned for real, so nvcc is
// needed.
#include <gmock/gmock.h>

#include <cstdlib>

#include "device/device_suite.h"
#include "target/cuda/toolkit.h"

namespace forge {
namespace {

using ::testing::HasSubstr;

class PretendedGpu : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto fs = make_real_fs();
    const auto processes = make_real_process_runner();
    if (const auto toolkit = identify_cuda_toolkit(*fs, *processes); !toolkit) {
      missing_ = toolkit.error().message();
      return;
    }
    setenv("LD_LIBRARY_PATH", FORGE_FAKE_CUDA, 1);
    suite_ = new DeviceSuite(Path(FORGE_SOURCE_DIR) / "tests/tasks/saxpy_cuda");
    const Status aligned = suite_->align();
    ASSERT_TRUE(aligned) << aligned.error().message();
  }
  static void TearDownTestSuite() {
    delete suite_;
    suite_ = nullptr;
    unsetenv("LD_LIBRARY_PATH");
  }
  void SetUp() override {
    if (suite_ == nullptr) GTEST_SKIP() << missing_;
  }

  static JudgeResult judge(const std::string& kernel) { return suite_->judged(kernel); }

  static std::string missing_;
  static DeviceSuite* suite_;
};
std::string PretendedGpu::missing_;
DeviceSuite* PretendedGpu::suite_ = nullptr;

TEST_F(PretendedGpu, ARightKernelIsTimedBesideItsReference) {
  const JudgeResult judged = judge("right_plain");
  ASSERT_EQ(verdict_name(judged.outcome), "passed") << explain(judged.outcome);
  ASSERT_EQ(judged.contrasts.size(), 1u);
  EXPECT_EQ(judged.contrasts[0].log_ratios.size(), 2u);
  EXPECT_GT(judged.timed_calls, 0);
}

TEST_F(PretendedGpu, WhatAKernelDoesWrongIsItsVerdict) {
  const CandidateOutcome wrong = judge("wrong_last").outcome;
  ASSERT_EQ(verdict_name(wrong), "wrong") << explain(wrong);
  EXPECT_EQ(std::get<Wrong>(wrong).worst.front().wrong_elements, 1);
  EXPECT_THAT(explain(judge("beside").outcome), HasSubstr("outside 'y'"));
  const CandidateOutcome inputs = judge("inputs").outcome;
  ASSERT_TRUE(std::holds_alternative<InputsModified>(inputs)) << explain(inputs);
}

TEST_F(PretendedGpu, ABrokenContextIsACrashAndTheNextHasANewOne) {
  const CandidateOutcome outcome = judge("crash_address").outcome;
  ASSERT_EQ(verdict_name(outcome), "crash") << explain(outcome);
  EXPECT_THAT(explain(outcome), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
  EXPECT_EQ(verdict_name(judge("right_plain").outcome), "passed");
}

TEST_F(PretendedGpu, AKernelThatNeverEndsTimesOut) {
  EXPECT_EQ(verdict_name(judge("hang").outcome), "timeout");
}

TEST_F(PretendedGpu, AMemoryErrorOfTheDeviceIsNoVerdict) {
  const auto result = suite_->judge(device_kernel("ecc"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kInfrastructure);
  EXPECT_THAT(result.error().message(), HasSubstr("214"));
}

}  // namespace
}  // namespace forge
