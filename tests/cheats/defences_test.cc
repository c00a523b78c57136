// What each defence is for: without it a kernel of the corpus that it exists for passes, or another
// layer holds, which the test names. A test may leave a defence out; forge-worker can't.
#include <gmock/gmock.h>

#include "cheats/judged_corpus.h"
#include "cheats/layers.h"

namespace forge {
namespace {

CandidateOutcome judged_without(const std::vector<Defence>& left_out, const std::string& name) {
  Defences defences;
  for (const Defence defence : left_out) defences.leave_out(defence);
  const CheatCase cheat = read_case(corpus_folder() / "cpu" / (name + ".cpp"));
  const auto result = corpus_judge().judge(cheat, defences);
  if (!result) return NoVerdict{result.error().message()};
  return std::get<JudgeResult>(result->body).outcome;
}

struct Need {
  const char* name;
  std::vector<Defence> left_out;
  const char* cheat;
  const char* then;  // "passed", or the layer that holds
};

void PrintTo(const Need& need, std::ostream* out) { *out << need.name; }

class WithoutADefence : public testing::TestWithParam<Need> {};

TEST_P(WithoutADefence, TheCheatPassesOrAnotherLayerHolds) {
  const Need& need = GetParam();
  const CandidateOutcome outcome = judged_without(need.left_out, need.cheat);
  if (std::string_view(need.then) == "passed") {
    EXPECT_EQ(verdict_name(outcome), "passed") << explain(outcome);
    return;
  }
  const Layer* layer = find_layer(need.then);
  ASSERT_NE(layer, nullptr);
  EXPECT_TRUE(shows(explain(outcome), *layer)) << explain(outcome);
}

const std::vector<Need> kNeeds = {
    {"ConfinedRunner", {Defence::kConfinedRunner}, "smuggled_mapping", "passed"},
    {"ConfinedRunnerAtLoad", {Defence::kConfinedRunner}, "static_constructor", "passed"},
    {"ImageInspection", {Defence::kImageInspection}, "static_ifunc", "passed"},
    {"EveryOutputVerified", {Defence::kEveryOutputVerified}, "detect_phase_first_calls", "passed"},
    {"FreshContents", {Defence::kFreshContents}, "shape_cache", "passed"},
    {"StaleOutputs", {Defence::kPoison, Defence::kFreshContents}, "stale_output", "passed"},
    {"PoisonAlone", {Defence::kPoison}, "stale_own_output", "fresh contents"},
    {"PoisonAndFreshContents",
     {Defence::kPoison, Defence::kFreshContents},
     "stale_own_output",
     "passed"},
    {"MovedBuffers", {Defence::kMovedBuffers}, "detect_phase_addresses", "poison"},
    {"MovedBuffersForPointers", {Defence::kMovedBuffers}, "pointer_cache", "fresh contents"},
    {"Canaries", {Defence::kCanaries}, "out_of_bounds_write", "passed"},
    {"UntouchedGuardPages", {Defence::kCanaries}, "out_of_bounds_guard", "passed"},
    {"GuardPages", {Defence::kGuardPages}, "out_of_bounds_read", "passed"},
    // The window alone holds too, though not in every run.
    {"UntouchedOutputs",
     {Defence::kUntouchedOutputs, Defence::kCountedWindow},
     "ahead_in_place",
     "passed"},
    {"CountedWindow", {Defence::kCountedWindow}, "ahead_in_private", "passed"},
    {"Rest", {Defence::kRest}, "slow_baseline_thread", "passed"},
    {"SampleHeldByVerification",
     {Defence::kSample},
     "threads_second_half",
     "every output verified"},
};

INSTANTIATE_TEST_SUITE_P(Of, WithoutADefence, testing::ValuesIn(kNeeds),
                         [](const auto& tested) { return std::string(tested.param.name); });

// Without the gate the machine takes the blame for what the kernel did: no verdict on it at all.
TEST(WithoutTheGate, AKernelBlamesTheMachine) {
  for (const char* name : {"early_exit_claims_set_up", "early_exit_claims_set_up_at_load"}) {
    const CandidateOutcome outcome = judged_without({Defence::kGatedStart}, name);
    EXPECT_EQ(verdict_name(outcome), "no_verdict") << name;
    EXPECT_THAT(explain(outcome), testing::HasSubstr("the runner could not be set up"));
  }
}

}  // namespace
}  // namespace forge
