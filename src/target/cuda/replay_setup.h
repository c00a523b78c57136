// What a replayer is told at the start of a trial. Pure. May know: base.
// Format: docs/formats/replay-protocol.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace forge {

enum class ReplayRole { kInput, kInOut, kOutput };

// A tensor's place in the slab. Everything from `begin` to `end` beside it is canary.
struct ReplayTensor {
  ReplayRole role = ReplayRole::kInput;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// One set of buffers with one input group's scalars: something that can be called.
struct ReplayEntry {
  std::size_t variant = 0;  // of the plan
  std::vector<ReplayTensor> tensors;
};

struct ReplaySetup {
  std::uint64_t bytes = 0;  // of the slab
  std::uint64_t shift = 0;  // where in the device's memory it begins, for fresh placement
  double call_seconds = 0;
  std::uint32_t key = 0;  // of the rotation's pattern
  std::vector<ReplayEntry> entries;
};

// A setup whose tensors lie within the slab.
Result<ReplaySetup> read_replay_setup(std::string_view json);

inline constexpr std::uint64_t kMaxReplayShift = 2ull << 20;

}  // namespace forge
