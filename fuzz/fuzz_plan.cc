// Whatever the bytes: a plan that is read is written as the same bytes, and validating it against a
// real cubin ends with a yes or a reason.
#include <cstdint>
#include <string_view>

#include "target/cuda/plan_codec.h"
#include "target/cuda/plan_fixture.h"
#include "target/cuda/plan_validate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto plan = forge::decode_plan(bytes, "plan");
  if (!plan) return 0;
  FORGE_CHECK(forge::encode_plan(*plan) == bytes);
  static const forge::Cubin kCubin = forge::test_cubin("globals");
  static const forge::DeviceProfile kDevice = *forge::assumed_device("sm_90a");
  const forge::PlanContext context{kCubin, kDevice,
                                   [](const auto&, const auto&) { return std::optional(1u); }};
  static_cast<void>(forge::validate_plan(*plan, context));
  // With the right symbols, so that mutants reach the variants.
  plan->symbols = kCubin.symbols;
  plan->arch = kDevice.arch;
  const auto fault = forge::validate_plan(*plan, context);
  if (!fault) FORGE_CHECK(forge::why_not_canonical(*plan).empty());
  return 0;
}
