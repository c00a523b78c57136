// What is known of a CUDA kernel's device code without running it. Pure. May know: base, cubin.h,
// plan.h, sass.h, nvcc_output.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "target/cuda/cubin.h"
#include "target/cuda/device_profile.h"
#include "target/cuda/nvcc_output.h"
#include "target/cuda/plan.h"
#include "target/cuda/planner_setup.h"
#include "target/cuda/sass.h"

namespace forge {

using OccupancyTable = std::map<OccupancyQuestion, std::uint32_t>;

// One way in which a kernel is launched.
struct LaunchShape {
  std::uint32_t threads = 0;         // of a block
  std::uint32_t dynamic_shared = 0;  // bytes of a block
  std::uint32_t blocks = 0;          // that fit a multiprocessor at once
  double occupancy = 0;              // resident threads over the most that fit
};

struct KernelInspection {
  std::string name;      // mangled
  std::string readable;  // as its author wrote it
  CubinKernel code;
  PtxasFacts ptxas;
  std::vector<LaunchShape> launches;  // those of the plan
  std::optional<SassCounts> sass;     // nothing where there is no disassembler
};

struct InspectionInput {
  const Plan& plan;
  const Cubin& cubin;
  const DeviceProfile& device;
  const std::map<std::string, PtxasFacts>& ptxas;
  const OccupancyTable& occupancy;
  const std::optional<std::map<std::string, SassCounts>>& sass;
};

// Of the kernels that the plan launches.
std::vector<KernelInspection> inspect_kernels(const InspectionInput& input);

// What mechanism gates may name: "registers", "spill_bytes", "stack_bytes", "static_shared_bytes",
// "dynamic_shared_bytes", "occupancy" and, with a disassembler, "sass.HGMMA" and its like. Sums
// over kernels for counts and spills, the largest for needs, the smallest for occupancy.
std::map<std::string, double> mechanism_metrics(const std::vector<KernelInspection>& kernels);

Json to_json(const KernelInspection& kernel);

}  // namespace forge
