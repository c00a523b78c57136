#include "worker/arm_memory.h"

namespace forge {

Status ArenaPool::reserve(std::size_t count) {
  while (created_ < count) {
    auto arenas = std::make_unique<Arenas>();
    FORGE_TRY(arenas->inputs, SharedMemory::create("forge-inputs", inputs_bytes_));
    FORGE_TRY(arenas->outputs, SharedMemory::create("forge-outputs", outputs_bytes_));
    if (inputs_bytes_ > 0) FORGE_TRY_STATUS(arenas->inputs.forbid_other_writers());
    free_.push_back(std::move(arenas));
    ++created_;
  }
  return {};
}

std::unique_ptr<Arenas> ArenaPool::take(Random& random) {
  FORGE_CHECK(!free_.empty());
  std::swap(free_[random.below(free_.size())], free_.back());
  auto arenas = std::move(free_.back());
  free_.pop_back();
  return arenas;
}

void ArenaPool::give_back(std::unique_ptr<Arenas> arenas) {
  if (arenas != nullptr) free_.push_back(std::move(arenas));
}

}  // namespace forge
