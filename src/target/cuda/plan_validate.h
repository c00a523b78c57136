// Whether a launch plan may be replayed: every address within its memory, every launch within what
// the device and the cubin allow. Pure. May know: base, cubin.h, device_profile.h.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "target/cuda/cubin.h"
#include "target/cuda/device_profile.h"
#include "target/cuda/plan.h"

namespace forge {

// How many blocks of a launch fit a multiprocessor at once; nullopt if nobody could say.
using BlocksPerMultiprocessor =
    std::function<std::optional<std::uint32_t>(const CubinKernel&, const PlanLaunch&)>;

struct PlanFault {
  std::string shape;
  std::string group;
  std::string reason;  // "launch 3 (softmax_rows): its grid of …"
};

struct PlanContext {
  const Cubin& cubin;
  const DeviceProfile& device;
  BlocksPerMultiprocessor blocks_per_multiprocessor;  // asked for cooperative launches only
};

// The first fault, or nothing. Requires a canonical plan (decode_plan, make_canonical). That its
// cubin has the digest it names is the caller's to check, who has the bytes.
std::optional<PlanFault> validate_plan(const Plan& plan, const PlanContext& context);

// A kernel's name as its author wrote it, without its parameters' types, at most 80 bytes.
std::string readable_kernel_name(const std::string& mangled);

}  // namespace forge
