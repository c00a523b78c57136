// What an arm's process is told at its start: the tables of runner_protocol.h, or the same as JSON
// for a Python reference. Pure. May know: problem, target, arena.h, runner_protocol.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "target/args_layout.h"
#include "worker/arena.h"
#include "worker/runner_protocol.h"

namespace forge {

// The Args table has one entry for every slot and input group: `entry_of(slot, group)`.
class EntryIndex {
 public:
  EntryIndex() = default;
  EntryIndex(const ArenaPlan& plan, const std::vector<ShapeInstances>& shapes);
  std::uint32_t of(int slot, int group) const {
    return first_[static_cast<std::size_t>(slot)] + static_cast<std::uint32_t>(group);
  }
  std::uint32_t count() const { return count_; }

 private:
  std::vector<std::uint32_t> first_;
  std::uint32_t count_ = 0;
};

struct SetupRequest {
  const Signature* signature = nullptr;
  const std::vector<ShapeInstances>* shapes = nullptr;
  const ArenaPlan* plan = nullptr;
  runner::Confinement confinement = runner::Confinement::kCandidate;
  std::uint64_t memory_limit_bytes = 0;
  std::vector<std::uint64_t> initialisers;
};

// {"eps": 1e-6}, by name.
Json scalars_json(const Instance& instance);

std::vector<std::byte> runner_setup(const SetupRequest& request);

// {"inputs_bytes", "outputs_bytes", "dims": [{…} a shape], "entries": [{"shape", "scalars": {…},
//  "tensors": [{name, region, offset, dtype, shape, strides}]}]}; absent tensors are left out.
Json python_setup(const SetupRequest& request);

}  // namespace forge
