// A kernel's device code on a GPU, and its plan's launches as graphs. May know: base, gpu.h,
// plan.h, cubin.h, plan_validate.h. What each step means: docs/formats/plan.md, 'How a plan is
// replayed'.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "target/cuda/cubin.h"
#include "target/cuda/gpu.h"
#include "target/cuda/plan.h"

namespace forge {

// Where a variant's buffers lie, in its own order; the workspace is the last, if it has one.
using PlanPlacement = std::vector<DeviceAddress>;

// The encoded plan and the cubin as the replayer gets them: nobody's claim is believed.
struct ReplayCode {
  Plan plan;
  Cubin cubin;
  std::string image;  // the cubin's bytes
};
// Checks the encoding and that the cubin is the one that the plan names.
Result<ReplayCode> read_replay_code(std::string_view encoded_plan, std::string image);

// Owns the module and the graphs of one trial.
class LoadedKernel {
 public:
  // References must outlive it.
  LoadedKernel(Gpu& gpu, const ReplayCode& code) : gpu_(gpu), code_(code) {}
  ~LoadedKernel();
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;

  // Loads the module, checks the plan against this very device, keeps the initial image of every
  // module-scope variable.
  Status load();
  // Puts all module-scope variables back, on the stream.
  Status restore();
  // The steps of one variant as a graph.
  Result<GpuGraph> capture(std::size_t variant, const PlanPlacement& placement);

 private:
  // A section of module-scope variables, gaps included.
  struct Section {
    DeviceAddress address = 0;
    std::string image;
  };

  Status validate();
  Status find_functions();
  Status find_symbols();
  DeviceAddress address_of(const PlanAddress& address, const PlanPlacement& placement) const;
  Result<std::string> filled(const PlanBlob& blob, const PlanVariant& variant,
                             const PlanPlacement& placement);
  Status record(const PlanStep& step, const PlanVariant& variant, const PlanPlacement& placement);

  Gpu& gpu_;
  const ReplayCode& code_;
  std::optional<GpuModule> module_;
  std::vector<GpuFunction> functions_;  // as Plan::kernels
  std::vector<DeviceAddress> symbols_;  // as Plan::symbols
  std::vector<Section> sections_;
  std::vector<GpuGraph> graphs_;
  std::deque<std::string> written_;  // what recorded writes read from
};

}  // namespace forge
