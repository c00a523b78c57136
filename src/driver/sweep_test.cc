#include "driver/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problem/problem_fixture.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<SearchRequest> kRequests = {{{{"kVec[0]", "4"}, {"kVec[1]", "8"}}, 1},
                                              {{{"kVec[0]", "1"}, {"kVec[1]", "8"}}, 3}};

TEST(SweepJob, HasOneArmForEachRequestAndTheOriginAsIncumbent) {
  const Problem problem;
  const State state;
  const RunPaths paths("run");
  const JobBasis basis{problem, state, paths, "/cache", std::string(64, 'a'), {}};
  const auto job = sweep_job(
      basis, 7, {"kernel.cpp", {{"kVec[0]", "1"}, {"kVec[1]", "1"}}, kRequests, {"aa"}}, {1, 2});
  EXPECT_EQ(job.spec.kind, JobKind::kSweep);
  ASSERT_EQ(job.arms.size(), 3u);
  EXPECT_EQ(job.arms[0].spec.tunables.at("kVec"), "(4, 8)");
  EXPECT_EQ(job.arms[2].spec.role, ArmRole::kIncumbent);
  EXPECT_EQ(job.arms[2].spec.tunables.at("kVec"), "(1, 1)");
  EXPECT_EQ(job.spec.sweep.trials.at(job.arms[1].spec.label), 3);
  EXPECT_THAT(job.spec.sweep.known_artefacts, ElementsAre("aa"));
}

SweepResult result() {
  SweepResult result;
  result.shapes = {"large"};
  result.incumbent = Passed{};
  result.arms = {{"candidate-0", Passed{}, "a0", "", {{0.5}}},
                 {"candidate-1", Crash{"large", "SIGSEGV"}, "a1", "", {}}};
  return result;
}

TEST(SweepObservations, AreOneForEachRequest) {
  const auto made = observations_of(result(), 7, kRequests);
  ASSERT_TRUE(made) << made.error().message();
  ASSERT_EQ(made->size(), 2u);
  EXPECT_EQ((*made)[0].settings, kRequests[0].settings);
  EXPECT_EQ((*made)[0].job, 7);
  EXPECT_THAT((*made)[0].failure, IsEmpty());
  EXPECT_EQ((*made)[0].trials[0][0], 0.5);
  EXPECT_THAT((*made)[1].failure, HasSubstr("crash: "));
}

TEST(SweepObservations, ATwinSharesWhatBecameOfTheOther) {
  auto twins = result();
  twins.arms[0] = {"candidate-0", Passed{}, "a1", "candidate-1", {}};
  const auto made = observations_of(twins, 7, kRequests);
  EXPECT_THAT((*made)[0].failure, HasSubstr("crash: "));
}

TEST(SweepObservations, MissingEvidenceIsNone) {
  auto missing = result();
  missing.arms[0].outcome = NoVerdict{"the machine was restarted"};
  EXPECT_EQ(observations_of(missing, 7, kRequests)->size(), 1u);
}

TEST(SweepObservations, AnOriginThatIsWrongIsAnError) {
  auto wrong = result();
  wrong.incumbent = Refused{"it opens a file"};
  EXPECT_THAT(observations_of(wrong, 7, kRequests).error().message(), HasSubstr("opens a file"));
}

TEST(KnownArtefacts, AreThoseThatNobodyAsksForAgain) {
  const std::vector<Observation> before = {{kRequests[0].settings, 1, "", "a0", {{0.1}}},
                                           {{{"kVec[0]", "9"}}, 1, "", "a9", {{0.1}}}};
  EXPECT_THAT(known_artefacts(before, kRequests), ElementsAre("a9"));
}

}  // namespace
}  // namespace forge
