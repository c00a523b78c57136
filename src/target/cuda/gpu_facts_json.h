// What a device said of itself, as the replayer tells it to whoever started it. Pure. May know:
// base, gpu.h.
#pragma once

#include "base/json.h"
#include "target/cuda/gpu.h"

namespace forge {

Json to_json(const GpuFacts& facts);
Result<GpuFacts> gpu_facts_from_json(const JsonReader& reader);

}  // namespace forge
