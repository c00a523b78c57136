// The measurer's view of an arm's buffers: fills them before a call, looks beside them after. May
// know: arena.h, content_pool.h, defences.h, bench/arm.h.
#pragma once

#include <cstddef>
#include <optional>

#include "bench/arm.h"
#include "worker/arena.h"
#include "worker/content_pool.h"
#include "worker/defences.h"

namespace forge {

// All bits set: NaN in every float format, -1 in every integer.
inline constexpr int kPoison = 0xff;

// Where the two regions of an arena plan lie.
struct SlotMemory {
  std::byte* inputs = nullptr;
  std::byte* outputs = nullptr;

  std::byte* at(const BufferPlace& place) const {
    return (place.region == runner::Region::kInputs ? inputs : outputs) + place.offset;
  }
  std::vector<const std::byte*> tensors(const Slot& slot) const;
};

// A call that is prepared, and where its buffers lie.
struct PreparedCall {
  Call call;
  int slot = 0;
};

// A content where it is read, poison everywhere else that a kernel can reach: kPoison beside
// buffers, `in_outputs` (a byte) in what it is to write.
void fill_slot(const SlotMemory& memory, const Slot& slot, const Instance& instance,
               const Content& content, const Defences& defences, int in_outputs = kPoison);

// Inputs unchanged, and nothing written beside any buffer.
std::optional<ArmFault> check_surroundings(const SlotMemory& memory, const Slot& slot,
                                           const Instance& instance, const Content& content,
                                           const Defences& defences);

}  // namespace forge
