// A launch plan and what is in its kernels, as a person reads them. Pure. May know: base, plan.h,
// inspection.h.
#pragma once

#include <string>
#include <vector>

#include "target/cuda/device_profile.h"
#include "target/cuda/inspection.h"
#include "target/cuda/plan.h"

namespace forge {

// Device, kernels with their needs, then the steps of every shape and group; variants with equal
// steps are shown once.
std::string plan_text(const Plan& plan, const std::vector<KernelInspection>& kernels,
                      const DeviceProfile& device);

}  // namespace forge
