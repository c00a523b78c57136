// Sweeps by the real worker: many candidates of one source, checked and timed in the same trials.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "target/tunables.h"
#include "worker/aligned_saxpy.h"

namespace forge {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// kHow: 0 is right, 1 is as 0 to the last byte, 2 does not compile, 3 crashes. kOff: what a class
// of shapes is wrong by. kStep: another artefact, as right.
constexpr const char* kKernel = R"(#include "forge_args.h"
#include <cstdlib>
FORGE_SHAPES(dims.n > 10000);
FORGE_STRUCTURE(int, kHow, 0, 0, 1, 2, 3);
FORGE_TUNABLE(int, kStep, 1, 1, 2, 4);
FORGE_TUNABLE_BY_SHAPE(int, kOff, (0, 0), 0, 1);
FORGE_REQUIRE(kHow != 2);
template <int kShape> int run(const Args& args) {
  for (std::int64_t i = 0; i < args.dims.n; i += kStep) {
    for (std::int64_t k = i; k < i + kStep && k < args.dims.n; ++k) {
      args.y[k] = args.a * args.x[k] + args.z[k] + kOff<kShape>;
    }
  }
  if (kHow == 3) std::abort();
  return 0;
}
int forge_launch(const Args* args, void*) {
  return by_shape(args->dims, [&](auto shape) { return run<shape()>(*args); });
}
)";

class SweepTest : public AlignedSaxpy {
 protected:
  struct Entry {
    std::string label;
    std::map<std::string, std::string> settings;
    int trials = 1;
  };

  static SweepResult sweep(const std::string& id, const std::vector<Entry>& entries,
                           std::map<std::string, std::string> incumbent = {},
                           std::vector<std::string> known = {}) {
    auto job = rig_->job(JobKind::kSweep, id, saxpy_task());
    if (!job) invariant_failed(__FILE__, __LINE__, job.error().message());
    job->tolerance = *tolerance_;
    job->sweep.known_artefacts = std::move(known);
    const Path file = rig_->folder() / "sweep.cpp";
    if (!rig_->fs().write_atomic(file, kKernel)) invariant_failed(__FILE__, __LINE__, "no disk");
    std::vector<BundleArm> arms;
    for (const Entry& entry : entries) {
      BundleArm arm = candidate_arm(file);
      arm.spec.label = entry.label;
      arm.spec.tunables = header_settings(entry.settings);
      job->sweep.trials[entry.label] = entry.trials;
      arms.push_back(std::move(arm));
    }
    BundleArm own = candidate_arm(file);
    own.spec.label = "incumbent";
    own.spec.role = ArmRole::kIncumbent;
    own.spec.tunables = header_settings(incumbent);
    arms.push_back(std::move(own));
    auto result = rig_->run(*job, saxpy_task(), std::move(arms));
    if (!result) {
      ADD_FAILURE() << result.error().message();
      return {};
    }
    return std::get<SweepResult>(result->body);
  }
};

TEST_F(SweepTest, TimesEachForItsOwnTrialsAndSaysWhatBecameOfTheOthers) {
  const auto result = sweep("many", {{"twice", {{"kStep", "2"}}, 2},
                                     {"wrong", {{"kOff[0]", "1"}, {"kOff[1]", "0"}}},
                                     {"illegal", {{"kHow", "2"}}},
                                     {"crash", {{"kHow", "3"}}},
                                     {"once", {{"kStep", "4"}}, 1}});
  ASSERT_EQ(result.arms.size(), 5u);
  EXPECT_TRUE(std::holds_alternative<Passed>(result.incumbent));
  ASSERT_EQ(result.shapes, (std::vector<std::string>{"odd", "page"}));
  EXPECT_EQ(verdict_name(result.arms[0].outcome), "passed");
  ASSERT_EQ(result.arms[0].log_ratios.size(), 2u);
  EXPECT_EQ(result.arms[0].log_ratios[1].size(), 2u);
  EXPECT_EQ(result.arms[4].log_ratios.size(), 1u);
  EXPECT_THAT(explain(result.arms[1].outcome), HasSubstr("page"));
  EXPECT_THAT(explain(result.arms[1].outcome), Not(HasSubstr("odd"))) << "the other class is right";
  EXPECT_THAT(explain(result.arms[2].outcome), HasSubstr("break FORGE_REQUIRE"));
  EXPECT_THAT(result.arms[2].artefact, IsEmpty());
  EXPECT_EQ(verdict_name(result.arms[3].outcome), "crash");
  for (std::size_t i = 1; i < 4; ++i) EXPECT_THAT(result.arms[i].log_ratios, IsEmpty());
}

TEST_F(SweepTest, DoesNotTimeTheSameArtefactTwice) {
  const auto first = sweep("twins", {{"a", {{"kHow", "1"}}}, {"b", {{"kStep", "2"}}}});
  ASSERT_EQ(first.arms.size(), 2u);
  EXPECT_EQ(first.arms[0].same_as, "incumbent");
  EXPECT_THAT(first.arms[0].log_ratios, IsEmpty());
  EXPECT_EQ(first.arms[1].log_ratios.size(), 1u);
  const auto again = sweep("known", {{"b", {{"kStep", "2"}}}}, {}, {first.arms[1].artefact});
  ASSERT_EQ(again.arms.size(), 1u);
  EXPECT_EQ(again.arms[0].same_as, kKnownArtefact);
  EXPECT_EQ(again.arms[0].artefact, first.arms[1].artefact);
}

TEST_F(SweepTest, StopsAtAnIncumbentThatIsWrong) {
  const auto result =
      sweep("incumbent", {{"a", {{"kHow", "0"}}}}, {{"kOff[0]", "1"}, {"kOff[1]", "0"}});
  EXPECT_EQ(verdict_name(result.incumbent), "wrong");
  ASSERT_EQ(result.arms.size(), 1u);
  EXPECT_THAT(result.arms[0].log_ratios, IsEmpty());
}

}  // namespace
}  // namespace forge
