#include "worker/slot_memory.h"

#include <algorithm>
#include <cstring>

namespace forge {
namespace {

bool is_poison(const std::byte* begin, const std::byte* end) {
  return std::all_of(begin, end, [](std::byte b) { return b == std::byte{kPoison}; });
}

}  // namespace

std::vector<const std::byte*> SlotMemory::tensors(const Slot& slot) const {
  std::vector<const std::byte*> first_bytes;
  for (const BufferPlace& place : slot.tensors) first_bytes.push_back(at(place));
  return first_bytes;
}

void fill_slot(const SlotMemory& memory, const Slot& slot, const Instance& instance,
               const Content& content, const Defences& defences, int in_outputs) {
  for (std::size_t t = 0; t < slot.tensors.size(); ++t) {
    const BufferPlace& place = slot.tensors[t];
    const ConcreteTensor& tensor = instance.tensors[t];
    const std::size_t span = tensor.present ? tensor.layout.span_bytes() : 0;
    std::byte* const first = memory.at(place);
    std::byte* const pages = first - (place.offset - place.pages_begin);
    std::size_t filled = 0;
    if (instance.tensors[t].present && instance.tensors[t].param->direction != Direction::kOutput) {
      const std::span<const std::byte> initial = content.initial[t].bytes();
      std::memcpy(first, initial.data(), initial.size());
      filled = initial.size();
    }
    if (!defences.has(Defence::kPoison)) filled = span;
    std::memset(pages, kPoison, place.offset - place.pages_begin);
    std::memset(first + filled, in_outputs, span - filled);
    std::memset(first + span, kPoison, place.pages_end - place.offset - span);
  }
}

std::optional<ArmFault> check_surroundings(const SlotMemory& memory, const Slot& slot,
                                           const Instance& instance, const Content& content,
                                           const Defences& defences) {
  using runner::kPageBytes;
  const bool canaries = defences.has(Defence::kCanaries);
  const bool guards = canaries && defences.has(Defence::kGuardPages);
  for (std::size_t t = 0; t < slot.tensors.size(); ++t) {
    const BufferPlace& place = slot.tensors[t];
    const ConcreteTensor& tensor = instance.tensors[t];
    const std::byte* first = memory.at(place);
    const std::byte* pages = first - (place.offset - place.pages_begin);
    const std::size_t used = tensor.present ? tensor.layout.span_bytes() : 0;
    const std::byte* end = pages + (place.pages_end - place.pages_begin);
    if (canaries && (!is_poison(pages, first) || !is_poison(first + used, end))) {
      return ArmFault{FaultKind::kRefused, slot.shape,
                      "the kernel wrote outside '" + tensor.param->name + "'"};
    }
    if (guards && (!is_poison(pages - kPageBytes, pages) || !is_poison(end, end + kPageBytes))) {
      return ArmFault{
          FaultKind::kRefused, slot.shape,
          "the kernel opened the guard page beside '" + tensor.param->name + "' and wrote to it"};
    }
    if (used > 0 && tensor.param->direction == Direction::kInput &&
        std::memcmp(first, content.initial[t].bytes().data(), used) != 0) {
      return ArmFault{FaultKind::kInputsModified, slot.shape, tensor.param->name};
    }
  }
  return std::nullopt;
}

}  // namespace forge
