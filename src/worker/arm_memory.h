// The memory that measurer and one arm share. Arenas outlive trials and change hands between arms,
// so that no arm keeps the luck of its pages; everything in them is rewritten each trial. May know:
// base, sys, arena.h.
#pragma once

#include <memory>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "sys/shared_memory.h"
#include "worker/arena.h"
#include "worker/runner_protocol.h"

namespace forge {

struct Arenas {
  SharedMemory inputs;  // sealed: only the measurer's mapping can write
  SharedMemory outputs;
};

// Arenas of one size, handed out at random. Every arm that computes the same problem shares a pool.
class ArenaPool {
 public:
  ArenaPool(std::uint64_t inputs_bytes, std::uint64_t outputs_bytes)
      : inputs_bytes_(inputs_bytes), outputs_bytes_(outputs_bytes) {}

  // Creates `count` arenas in all, so that as many arms can be set up at once.
  Status reserve(std::size_t count);
  // Requires that one is free.
  std::unique_ptr<Arenas> take(Random& random);
  void give_back(std::unique_ptr<Arenas> arenas);

 private:
  std::uint64_t inputs_bytes_;
  std::uint64_t outputs_bytes_;
  std::size_t created_ = 0;
  std::vector<std::unique_ptr<Arenas>> free_;
};

}  // namespace forge
