// From a CUDA kernel's source to a launch plan: toolkit, recording runtime, compiler, planner. May
// know: everything below worker, cuda_plan.h, kernel_build.h.
#pragma once

#include <string>
#include <variant>

#include "target/cuda/toolkit.h"
#include "worker/cuda_plan.h"
#include "worker/kernel_build.h"

namespace forge {

struct CudaKernel {
  CudaArtefact artefact;
  PlannedKernel planned;
  DeviceProfile device;
  double compile_seconds = 0;
  double plan_seconds = 0;
};

// The device that plans are made for: what is compiled for is the problem's [build] arch, else the
// default; its limits are those of a device that has it.
Result<DeviceProfile> planning_device(const Problem& problem);

// What compiler, inspection or planner refused is an outcome. `instances`: the variants, in order.
Result<std::variant<CudaKernel, CandidateOutcome>> prepare_cuda_kernel(
    const KernelBuild& build, const DeviceProfile& device,
    const std::vector<const Instance*>& instances, std::uint64_t seed,
    const WorkerContext& context);

}  // namespace forge
