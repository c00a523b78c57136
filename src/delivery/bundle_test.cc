#include "delivery/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "delivery/local.h"
#include "sys/fs_fake.h"

namespace forge {
namespace {

using testing::HasSubstr;

struct FsWithProblem : FakeFs {
  FsWithProblem() {
    FakeFs& fs = *this;
    fs.add_file("/run/problem/task.toml", "name = 'x'");
    fs.add_file("/run/problem/reference/x.cpp", "reference");
    fs.add_file("/run/tree/kernel.cpp", "candidate");
  }
};

BundleArm arm(std::string label, ArmRole role, std::string source, Path file) {
  BundleArm out;
  out.spec.label = std::move(label);
  out.spec.role = role;
  out.spec.source = std::move(source);
  out.file = std::move(file);
  return out;
}

std::vector<BundleArm> two_arms() {
  return {arm("candidate", ArmRole::kCandidate, "", "/run/tree/kernel.cpp"),
          arm("reference", ArmRole::kReference, "problem/reference/x.cpp", "")};
}

JobSpec job_named(std::string id) {
  JobSpec job;
  job.id = std::move(id);
  job.seeds = {7};
  job.cache = "/cache";
  job.check_digest = std::string(64, 'a');
  job.tolerance.allowed[{"y", "large", "typical"}] = 0.01;
  return job;
}

TEST(Bundle, HoldsTheProblemTheArmsAndAJobThatNamesThem) {
  FsWithProblem fs;
  ASSERT_TRUE(write_bundle(fs, "/run/b", "/run/problem", job_named("0001"), two_arms()));
  EXPECT_EQ(fs.read("/run/b/problem/reference/x.cpp").value(), "reference");
  EXPECT_EQ(fs.read("/run/b/arms/candidate/kernel.cpp").value(), "candidate");
  const Json json = parse_json(fs.read("/run/b/job.json").value(), "job.json").value();
  const auto read = job_from_json(json, "job.json");
  ASSERT_TRUE(read) << read.error().message();
  const JobSpec& job = *read;
  ASSERT_EQ(job.arms.size(), 2u);
  EXPECT_EQ(job.arms[0].source, "arms/candidate/kernel.cpp");
  EXPECT_EQ(job.arms[1].source, "problem/reference/x.cpp");
}

TEST(Bundle, ReplacesWhatAnInterruptedAttemptLeft) {
  FsWithProblem fs;
  fs.add_file("/run/b/arms/old/kernel.cpp", "stale");
  fs.add_file("/run/b/job.json", "{}");
  ASSERT_TRUE(write_bundle(fs, "/run/b", "/run/problem", job_named("0001"), two_arms()));
  EXPECT_FALSE(fs.exists("/run/b/arms/old"));
}

// Wherever writing stops, a job.json is only there beside everything that it names.
TEST(Bundle, AJobFileIsThereOnlyIfTheBundleIsWhole) {
  FsWithProblem counting;
  ASSERT_TRUE(write_bundle(counting, "/run/b", "/run/problem", job_named("1"), two_arms()));
  ASSERT_TRUE(write_bundle(counting, "/run/b", "/run/problem", job_named("2"), two_arms()));
  const auto steps = counting.steps();
  for (std::uint64_t cut = 1; cut <= steps; ++cut) {
    FsWithProblem fs;
    fs.fail_step(cut, FaultSpan::kFromThenOn,
                 {ErrorKind::kInfrastructure, "cannot write", "x", "the disk is gone", ""});
    const bool first =
        write_bundle(fs, "/run/b", "/run/problem", job_named("1"), two_arms()).has_value();
    if (first) {
      EXPECT_FALSE(write_bundle(fs, "/run/b", "/run/problem", job_named("2"), two_arms()) &&
                   cut < steps);
    }
    if (!fs.exists("/run/b/job.json")) continue;
    EXPECT_TRUE(fs.exists("/run/b/problem/task.toml")) << "cut at step " << cut;
    EXPECT_TRUE(fs.exists("/run/b/problem/reference/x.cpp")) << "cut at step " << cut;
    EXPECT_TRUE(fs.exists("/run/b/arms/candidate/kernel.cpp")) << "cut at step " << cut;
  }
}

TEST(Bundle, LabelsThatWouldLeaveTheBundleOrClashAreRefused) {
  FsWithProblem fs;
  auto arms = two_arms();
  arms[0].spec.label = "../x";
  auto status = write_bundle(fs, "/run/b", "/run/problem", job_named("1"), arms);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("'../x' can't be an arm's label"));
  arms[0].spec.label = "reference";
  status = write_bundle(fs, "/run/b", "/run/problem", job_named("1"), arms);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("two arms are labelled 'reference'"));
}

TEST(Bundle, ItsDigestChangesWithTheJobAndWithAnArm) {
  FsWithProblem fs;
  ASSERT_TRUE(write_bundle(fs, "/run/b", "/run/problem", job_named("1"), two_arms()));
  const Digest first = bundle_digest(fs, "/run/b").value();
  ASSERT_TRUE(write_bundle(fs, "/run/b", "/run/problem", job_named("1"), two_arms()));
  EXPECT_EQ(bundle_digest(fs, "/run/b").value(), first);
  fs.add_file("/run/tree/kernel.cpp", "another candidate");
  ASSERT_TRUE(write_bundle(fs, "/run/b", "/run/problem", job_named("1"), two_arms()));
  EXPECT_NE(bundle_digest(fs, "/run/b").value(), first);
}

}  // namespace
}  // namespace forge
