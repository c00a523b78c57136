// What a GPU arm's process is told at the start of a trial: where tensors lie, and what to call.
// Pure. May know: problem, arena.h. Format: docs/formats/replay-protocol.md.
#pragma once

#include "base/json.h"
#include "worker/arena.h"

namespace forge {

struct DeviceSetup {
  const std::vector<ShapeInstances>* shapes = nullptr;
  const ArenaPlan* plan = nullptr;
  std::uint64_t shift = 0;
  std::uint32_t key = 0;
  double call_seconds = 0;
};

// One entry for every slot and input group, as EntryIndex counts them. The outputs' region lies
// behind the inputs' in one slab.
Json device_setup(const DeviceSetup& setup);

std::uint64_t slab_bytes(const ArenaPlan& plan);

}  // namespace forge
