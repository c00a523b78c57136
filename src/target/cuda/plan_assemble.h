// Makes a variant of a launch plan of what three calls of forge_launch noted down: what is the same
// in all is constant, what moved with a buffer is a pointer into it, what follows the fill of
// unwritten memory is no value at all; anything else is refused. Pure. May know: base, plan.h,
// recording.h, planner_setup.h.
#pragma once

#include <string>
#include <variant>

#include "target/cuda/plan.h"
#include "target/cuda/planner_setup.h"
#include "target/cuda/recording.h"

namespace forge {

struct PlanRefused {
  std::string reason;
};
struct LaunchReturned {
  std::int32_t result = 0;  // of forge_launch
};

struct AssembleInput {
  const PlannerSetup& setup;
  const Recording& recording;
  const Cubin& cubin;
};

// The steps of one variant; `buffers` as plan_buffers gives them. Kernels are numbered as in the
// cubin. Requires that every call of the variant has ended.
std::variant<PlanVariant, PlanRefused, LaunchReturned> assemble_variant(
    const AssembleInput& input, std::size_t variant, std::vector<PlanBuffer> buffers);

}  // namespace forge
