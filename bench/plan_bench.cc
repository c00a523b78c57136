// How long a launch plan of 1,000 launches takes to be read and to be validated. Prints
// milliseconds; asserts nothing.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "target/cuda/plan_codec.h"
#include "target/cuda/plan_fixture.h"
#include "target/cuda/plan_validate.h"

namespace {

constexpr int kLaunches = 1000;
constexpr int kRepetitions = 51;

// Launches of two kernels with parameters of their own.
forge::Plan large_plan() {
  forge::Plan plan = forge::example_plan();
  forge::PlanVariant& variant = plan.variants[0];
  const auto launch = std::get<forge::PlanLaunch>(variant.steps.back());
  while (variant.steps.size() < kLaunches) {
    forge::PlanLaunch next = launch;
    next.grid.x = static_cast<std::uint32_t>(1 + variant.steps.size());
    next.parameters.relocations[0].target.offset = variant.steps.size();
    variant.steps.emplace_back(next);
  }
  return plan;
}

template <typename Work>
double median_ms(Work work) {
  std::vector<double> times;
  for (int i = 0; i < kRepetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - begin;
    times.push_back(taken.count());
  }
  std::nth_element(times.begin(), times.begin() + kRepetitions / 2, times.end());
  return times[kRepetitions / 2];
}

}  // namespace

int main() {
  const forge::Plan plan = large_plan();
  const std::string bytes = forge::encode_plan(plan);
  const forge::Cubin cubin = forge::test_cubin("globals");
  const forge::DeviceProfile device = *forge::assumed_device("sm_90a");
  const forge::PlanContext context{cubin, device,
                                   [](const auto&, const auto&) { return std::optional(1u); }};
  std::printf("%zu steps, %zu bytes\n", plan.variants[0].steps.size(), bytes.size());
  std::printf("read      %8.3f ms\n",
              median_ms([&] { FORGE_CHECK(forge::decode_plan(bytes, "plan").has_value()); }));
  std::printf("validate  %8.3f ms\n",
              median_ms([&] { FORGE_CHECK(!forge::validate_plan(plan, context)); }));
}
