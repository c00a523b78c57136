#include "evolve/cumulative.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace forge {
namespace {

using testing::HasSubstr;

Contrast contrast(const std::string& opponent, std::vector<double> logs,
                  const std::string& cache = "cold") {
  Contrast out;
  out.opponent = opponent;
  out.cache = cache;
  out.log_ratios = std::move(logs);
  return out;
}

const std::vector<GenerationKernel> kKernels = {{0, "a.cpp"}, {1, "b.cpp"}, {2, "c.cpp"}};

JobResult result() {
  JudgeResult body;
  body.outcome = Passed{};
  // Trials share their noise: the quotients below are exact all the same.
  body.contrasts = {contrast("reference", {std::log(8) + 0.3, std::log(8) - 0.3}, "warm"),
                    contrast("reference", {std::log(6) + 0.1, std::log(6) - 0.1}),
                    contrast("generation-0", {std::log(3) + 0.1, std::log(3) - 0.1}),
                    contrast("generation-1", {std::log(2) + 0.1, std::log(2) - 0.1})};
  JobResult out;
  out.body = body;
  return out;
}

TEST(CumulativeRatios, AreFormedTrialByTrialAgainstTheOriginal) {
  const auto ratios = cumulative_ratios(result(), kKernels, "reference", 0);
  ASSERT_TRUE(ratios) << ratios.error().message();
  ASSERT_EQ(ratios->size(), 3u);
  EXPECT_NEAR((*ratios)[0].measured.ratio.point, 2.0, 1e-12);
  EXPECT_NEAR((*ratios)[0].measured.ratio.high, 2.0, 1e-12) << "common noise cancels";
  EXPECT_NEAR((*ratios)[1].measured.ratio.point, 3.0, 1e-12);
  EXPECT_NEAR((*ratios)[2].measured.ratio.point, 6.0, 1e-12);
  EXPECT_GT((*ratios)[2].measured.ratio.high, 6.5);
}

TEST(CumulativeRatios, MissingTimesAreAnErrorAndNoRatio) {
  EXPECT_FALSE(cumulative_ratios(result(), kKernels, "other", 0));
  JobResult incomplete = result();
  std::get<JudgeResult>(incomplete.body).contrasts.pop_back();
  const auto ratios = cumulative_ratios(incomplete, kKernels, "reference", 0);
  ASSERT_FALSE(ratios);
  EXPECT_THAT(ratios.error().message(), HasSubstr("generation 1"));
  JobResult wrong = result();
  std::get<JudgeResult>(wrong.body).outcome = NoVerdict{"the machine went away"};
  EXPECT_FALSE(cumulative_ratios(wrong, kKernels, "reference", 0));
}

}  // namespace
}  // namespace forge
