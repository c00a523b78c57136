#include "target/cuda/plan_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "target/cuda/plan_fixture.h"

namespace forge {
namespace {

using testing::HasSubstr;

std::string refusal(const Plan& plan) {
  const auto decoded = decode_plan(encode_plan(plan), "plan");
  return decoded ? "" : decoded.error().cause;
}

PlanLaunch& last_launch(Plan& plan) { return std::get<PlanLaunch>(plan.variants[0].steps.back()); }

// A launch whose parameters are two tensor maps and a pointer.
Plan plan_with_maps() {
  Plan plan = example_plan();
  plan.variants[0].tensor_maps = {example_map(0), example_map(1)};
  PlanBlob& parameters = last_launch(plan).parameters;
  parameters.bytes = std::string(264, '\0');
  parameters.relocations = {{256, {PlanSpace::kBuffer, 1, 0}}};
  parameters.maps = {{0, 0}, {128, 1}};
  return plan;
}

TEST(PlanCodec, ReadsWhatItWrote) {
  for (const Plan& plan : {example_plan(), plan_with_maps()}) {
    const auto decoded = decode_plan(encode_plan(plan), "plan");
    ASSERT_TRUE(decoded) << decoded.error().message();
    EXPECT_EQ(*decoded, plan);
  }
}

TEST(PlanCodec, RefusesEveryPrefixAndEveryAddition) {
  const std::string bytes = encode_plan(plan_with_maps());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_plan(std::string_view(bytes).substr(0, size), "plan")) << size;
  }
  EXPECT_FALSE(decode_plan(bytes + '\0', "plan"));
}

TEST(PlanCodec, NamesTheVersionItCantRead) {
  std::string bytes = encode_plan(example_plan());
  bytes[7] = 2;
  const auto decoded = decode_plan(bytes, "plan.bin");
  ASSERT_FALSE(decoded);
  EXPECT_THAT(decoded.error().message(), HasSubstr("plan.bin: it has version 2"));
}

TEST(PlanCodec, MakesEqualPlansOfEqualContent) {
  Plan plan = plan_with_maps();
  plan.kernels = {"uses_all", "allocates"};
  const std::string sorted = [&] {
    Plan copy = plan;
    make_canonical(copy);
    return encode_plan(copy);
  }();
  // The same with kernels, symbols, maps and holes in another order.
  Plan other = plan;
  std::swap(other.kernels[0], other.kernels[1]);
  last_launch(other).kernel = 1;
  const auto last = static_cast<std::uint32_t>(other.symbols.size() - 1);
  std::swap(other.symbols.front(), other.symbols.back());
  auto& write = std::get<PlanWrite>(other.variants[0].steps[1]);
  write.target.index = write.target.index == last ? 0 : write.target.index;
  std::swap(other.variants[0].tensor_maps[0], other.variants[0].tensor_maps[1]);
  last_launch(other).parameters.maps = {{128, 0}, {0, 1}};
  last_launch(other).parameters.bytes[3] = 'x';         // inside a hole
  last_launch(other).order = PlanOrder::kProgrammatic;  // behind a copy it has no meaning
  make_canonical(other);
  EXPECT_EQ(encode_plan(other), sorted);
  EXPECT_EQ(other.kernels, std::vector<std::string>{"uses_all"});
}

TEST(PlanCodec, KeepsProgrammaticOrderBehindALaunch) {
  Plan plan = example_plan();
  plan.variants[0].steps.push_back(last_launch(plan));
  last_launch(plan).order = PlanOrder::kProgrammatic;
  Plan canonical = plan;
  make_canonical(canonical);
  EXPECT_EQ(canonical, plan);
  EXPECT_EQ(refusal(plan), "");
}

TEST(PlanCodec, RefusesOtherFormsOfTheSamePlan) {
  const auto refused = [](auto change) {
    Plan plan = plan_with_maps();
    change(plan);
    return refusal(plan);
  };
  EXPECT_THAT(refused([](Plan& p) { p.kernels = {"uses_all", "allocates"}; }),
              HasSubstr("kernels are not in order"));
  EXPECT_THAT(refused([](Plan& p) { p.kernels.emplace_back("zzz"); }),
              HasSubstr("nothing launches"));
  EXPECT_THAT(refused([](Plan& p) { std::swap(p.symbols[0], p.symbols[1]); }),
              HasSubstr("symbols are not in order"));
  EXPECT_THAT(refused([](Plan& p) { last_launch(p).kernel = 1; }), HasSubstr("no kernel"));
  EXPECT_THAT(refused([](Plan& p) { last_launch(p).parameters.bytes[1] = 1; }),
              HasSubstr("hole is not empty"));
  EXPECT_THAT(refused([](Plan& p) { last_launch(p).parameters.relocations[0].position = 257; }),
              HasSubstr("outside the parameters"));
  EXPECT_THAT(refused([](Plan& p) { last_launch(p).parameters.relocations[0].position = 124; }),
              HasSubstr("overlap"));
  EXPECT_THAT(refused([](Plan& p) { last_launch(p).parameters.maps = {{0, 1}, {128, 0}}; }),
              HasSubstr("numbered by their first use"));
  EXPECT_THAT(refused([](Plan& p) { p.variants[0].tensor_maps[1] = p.variants[0].tensor_maps[0]; }),
              HasSubstr("listed twice"));
  EXPECT_THAT(refused([](Plan& p) { p.variants[0].tensor_maps.push_back(example_map(2)); }),
              HasSubstr("never used"));
  EXPECT_THAT(refused([](Plan& p) { last_launch(p).order = PlanOrder::kProgrammatic; }),
              HasSubstr("no launch precedes"));
  EXPECT_THAT(refused([](Plan& p) { std::get<PlanMemset>(p.variants[0].steps[0]).bytes = 0; }),
              HasSubstr("no bytes"));
}

TEST(PlanCodec, ACountAloneAsksForNoMemory) {
  std::string bytes = encode_plan(example_plan());
  // The count of kernels, behind magic, arch and digest.
  const std::size_t at = 8 + 4 + 6 + 4 + 64;
  std::fill_n(bytes.begin() + at, 4, '\xff');
  const auto decoded = decode_plan(bytes, "plan");
  ASSERT_FALSE(decoded);
  EXPECT_THAT(decoded.error().cause, HasSubstr("longer than its bytes"));
}

}  // namespace
}  // namespace forge
