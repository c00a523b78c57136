// From a compiled CUDA kernel to a validated launch plan, with no GPU. May know: everything below
// worker, planner_process.h.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "judge/outcome.h"
#include "problem/problem.h"
#include "target/cuda/compile.h"
#include "target/cuda/cubin.h"
#include "target/cuda/device_profile.h"
#include "target/cuda/inspection.h"
#include "target/cuda/plan.h"
#include "target/cuda/planner_setup.h"
#include "worker/job.h"
#include "worker/run_job.h"

namespace forge {

struct CudaPlanRequest {
  const CudaArtefact* artefact = nullptr;
  Path recorder;  // folder of the recording runtime
  const Signature* signature = nullptr;
  std::vector<const Instance*> instances;
  DeviceProfile device;
  std::uint64_t seed = 0;  // of made-up addresses
  JobLimits limits;
};

struct PlannedKernel {
  Plan plan;
  std::string encoded;  // encode_plan(plan)
  Cubin cubin;
  OccupancyTable occupancy;  // of every launch, by cuda_occupancy.h
  std::string output;        // what the host code printed, clipped
};

// What the kernel did wrong, or asked for and may not, is an outcome.
Result<std::variant<PlannedKernel, CandidateOutcome>> plan_cuda_kernel(
    const CudaPlanRequest& request, const WorkerContext& context);

}  // namespace forge
