// Where buffers lie in the shared arenas: pure placement, with guard pages and canaries on both
// sides of every buffer. May know: base, problem, runner_protocol.h.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "problem/instance.h"
#include "worker/runner_protocol.h"

namespace forge {

// The instances of one shape, one an input group: what a slot must be able to hold.
using ShapeInstances = std::vector<Instance>;

// What the place of a buffer must offer. `margin` bytes of canary, whole pages, lie on both sides
// of it where no page can be made inaccessible.
struct ArenaStyle {
  std::uint64_t alignment = 64;
  std::uint64_t margin = 0;
};
// What a launch plan relies on; and more room than an off-by-one row, tile or vector needs.
inline constexpr ArenaStyle kDeviceArena{256, 64u << 10};

// One buffer: `capacity` bytes at `offset` of its region, aligned, touching either the
// start or the end of its pages; the rest of the pages are canary, and a guard page follows and
// precedes them.
struct BufferPlace {
  runner::Region region = runner::Region::kInputs;
  std::uint64_t offset = 0;
  std::uint64_t capacity = 0;     // largest span over the groups
  std::uint64_t pages_begin = 0;  // the pages that the kernel can reach
  std::uint64_t pages_end = 0;
};

// A full set of buffers of one shape, tensor by tensor.
struct Slot {
  int shape = 0;
  std::vector<BufferPlace> tensors;
};

struct ArenaPlan {
  std::vector<Slot> slots;                 // grouped by shape
  std::vector<std::vector<int>> by_shape;  // slot numbers of each shape
  std::vector<runner::Guard> guards;
  std::uint64_t inputs_bytes = 0;
  std::uint64_t outputs_bytes = 0;
};

// `slots_per_shape[i]` sets of buffers for shapes[i]. The random order decides which slot lies
// where and which end of its pages each buffer touches.
ArenaPlan plan_arena(const std::vector<ShapeInstances>& shapes,
                     const std::vector<int>& slots_per_shape, Random& random,
                     const ArenaStyle& style = {});

// Which arena a tensor lives in: inputs are read-only for the kernel.
runner::Region region_of(Direction direction);

}  // namespace forge
