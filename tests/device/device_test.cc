// The replayer on a real GPU: right kernels are timed, wrong ones get the verdict that they earn,
// and the device serves the next one.
#include <gmock/gmock.h>

#include <filesystem>

#include "device/device_suite.h"

namespace forge {
namespace {

using ::testing::HasSubstr;

bool gpu_is_here() { return std::filesystem::exists("/dev/nvidiactl"); }

class Device : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!gpu_is_here()) return;
    suite_ = new DeviceSuite(Path(FORGE_SOURCE_DIR) / "tests/tasks/saxpy_cuda");
    const Status aligned = suite_->align();
    ASSERT_TRUE(aligned) << aligned.error().message();
  }
  static void TearDownTestSuite() {
    delete suite_;
    suite_ = nullptr;
  }
  void SetUp() override {
    if (!gpu_is_here()) GTEST_SKIP() << "there is no GPU here";
  }

  static JudgeResult judge(const std::string& kernel) { return suite_->judged(kernel); }
  // Its verdict, and that the device is none the worse for it.
  static CandidateOutcome verdict_on(const std::string& kernel) {
    const JudgeResult judged = judge(kernel);
    EXPECT_TRUE(judged.contrasts.empty()) << "no time of a kernel that did not pass is told";
    const JudgeResult after = judge("right_plain");
    EXPECT_EQ(verdict_name(after.outcome), "passed") << explain(after.outcome);
    return judged.outcome;
  }

  static DeviceSuite* suite_;
};
DeviceSuite* Device::suite_ = nullptr;

TEST_F(Device, TimesARightKernelBesideItsReference) {
  const JudgeResult judged = judge("right_plain");
  ASSERT_EQ(verdict_name(judged.outcome), "passed") << explain(judged.outcome);
  ASSERT_EQ(judged.contrasts.size(), 1u);
  EXPECT_GT(judged.timed_calls, 0);
  EXPECT_EQ(judged.contrasts[0].log_ratios.size(), 2u);
}

TEST_F(Device, RefusesWrongOutputs) {
  const CandidateOutcome outcome = verdict_on("wrong_last");
  ASSERT_EQ(verdict_name(outcome), "wrong") << explain(outcome);
  EXPECT_EQ(std::get<Wrong>(outcome).worst.front().wrong_elements, 1);
}

TEST_F(Device, TellsOfACrash) {
  EXPECT_THAT(explain(verdict_on("crash_address")), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
  EXPECT_THAT(explain(verdict_on("crash_trap")), HasSubstr("CUDA_ERROR_LAUNCH_FAILED"));
}

TEST_F(Device, EndsAKernelThatNeverDoes) {
  const CandidateOutcome outcome = verdict_on("hang");
  EXPECT_EQ(verdict_name(outcome), "timeout") << explain(outcome);
}

TEST_F(Device, SeesWhatIsWrittenBesideAnOutput) {
  const CandidateOutcome outcome = verdict_on("beside");
  ASSERT_EQ(verdict_name(outcome), "refused") << explain(outcome);
  EXPECT_THAT(explain(outcome), HasSubstr("outside 'y'"));
}

TEST_F(Device, SeesChangedInputs) {
  const CandidateOutcome outcome = verdict_on("inputs");
  ASSERT_TRUE(std::holds_alternative<InputsModified>(outcome)) << explain(outcome);
  EXPECT_EQ(std::get<InputsModified>(outcome).tensor, "x");
}

// The problem that is shipped, at its own sizes: its references are PyTorch's, in a process of its
// own.
TEST(DeviceShipped, RmsnormsStartKernelIsTimedBesidePyTorch) {
  if (!gpu_is_here()) GTEST_SKIP() << "there is no GPU here";
  const Path task = Path(FORGE_SOURCE_DIR) / "tasks/rmsnorm";
  DeviceSuite suite(task);
  const Status aligned = suite.align();
  ASSERT_TRUE(aligned) << aligned.error().message();
  const auto result = suite.judge(task / "start/kernel.cu");
  ASSERT_TRUE(result) << result.error().message();
  const auto& judged = std::get<JudgeResult>(result->body);
  ASSERT_EQ(verdict_name(judged.outcome), "passed") << explain(judged.outcome);
  EXPECT_EQ(judged.contrasts.size(), 2u);
  for (const ArmFacts& arm : result->arms) {
    if (arm.label == "candidate") continue;
    EXPECT_THAT(arm.description, HasSubstr("captured as CUDA graphs")) << arm.label;
  }
  EXPECT_THAT(result->machine.device, HasSubstr("driver for CUDA"));
}

// A kernel that works once and then believes its module's variable finds it at its initial value.
TEST_F(Device, ModuleVariablesKeepNothing) {
  const JudgeResult judged = judge("once");
  EXPECT_EQ(verdict_name(judged.outcome), "passed") << explain(judged.outcome);
}

}  // namespace
}  // namespace forge
