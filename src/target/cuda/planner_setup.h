// What a planner's process is told: calls of forge_launch with made-up addresses, and all that a
// kernel may ask about device and kernels. Pure. May know: base, problem, target, recorder/setup.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "problem/instance.h"
#include "target/cuda/cubin.h"
#include "target/cuda/device_profile.h"
#include "target/cuda/recorder/setup.h"

namespace forge {

struct PlannerInput {
  const Signature* signature = nullptr;
  std::vector<const Instance*> instances;  // one for each variant, in the plan's order
  const Cubin* cubin = nullptr;
  const DeviceProfile* device = nullptr;
  std::uint64_t memory_limit_bytes = 0;  // private memory of the process
  std::vector<std::uint64_t> initialisers;
};

// A buffer's name and size as the plan has them, in the order of struct Args; the workspace, whose
// size only the kernel knows, is left out.
std::vector<PlanBuffer> plan_buffers(const Signature& signature, const Instance& instance);

// Where one call's memory pretends to lie.
struct CallPlacement {
  std::size_t variant = 0;
  std::vector<std::uint64_t> buffers;  // as plan_buffers
  std::uint64_t workspace = 0;
  std::vector<std::uint64_t> symbols;  // as Cubin::symbols
  unsigned char fill = 0;              // what memory that nobody has written holds
};

// Three calls of each variant: `first`; `moved` at other addresses; `again` at the first's, with
// other content in memory that nobody has written.
enum class CallRole { kFirst, kMoved, kAgain };
struct VariantCalls {
  std::uint32_t first = 0;  // indices into `calls`
  std::uint32_t moved = 0;
  std::uint32_t again = 0;
};

// kForward makes each variant's calls one after the other; kBackward begins with the last variant
// and goes through all of them once a role, so that nothing is called as often before.
enum class CallOrder { kForward, kBackward };

struct PlannerSetup {
  std::vector<std::byte> bytes;  // recorder::Setup and its tables
  std::vector<CallPlacement> calls;
  std::vector<VariantCalls> variants;
  std::uint64_t nonce = 0;
};

// An error if the buffers do not fit the address space together.
Result<PlannerSetup> planner_setup(const PlannerInput& input, CallOrder order, Random& random);

// Set-up for a process that answers how many blocks of a launch fit a multiprocessor.
struct OccupancyQuestion {
  std::string kernel;
  std::uint32_t threads = 0;
  std::uint32_t dynamic_shared = 0;
  auto operator<=>(const OccupancyQuestion&) const = default;
};
std::vector<std::byte> occupancy_setup(const Cubin& cubin, const DeviceProfile& device,
                                       std::span<const OccupancyQuestion> questions);

inline constexpr std::size_t kRecordingBytes = 96u << 20;

}  // namespace forge
