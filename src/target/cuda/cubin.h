// What is in a cubin: kernels with their parameter layouts and needs, module-scope variables. Pure.
// May know: base, plan.h.
//
// A cubin is an ELF file for NVIDIA GPUs. Its layout is not documented by its vendor; what is read
// here was found by comparing compiled kernels with what cuobjdump says of them (CUDA 13.0, ELF ABI
// 8) and is checked against nvcc in tests. Nothing trusts the bytes: every offset, size and index
// is checked before use.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "target/cuda/plan.h"

namespace forge {

struct CubinParameter {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  bool operator==(const CubinParameter&) const = default;
};

struct CubinKernel {
  std::string name;                        // mangled
  std::vector<CubinParameter> parameters;  // by position in the parameter list
  std::uint32_t parameter_bytes = 0;
  std::uint32_t parameter_base = 0;  // where they lie in constant bank 0, which decides alignment
  std::uint32_t registers = 0;       // of a thread
  std::uint32_t static_shared = 0;   // bytes of a block
  std::uint32_t stack_bytes = 0;     // of a thread's frame
  std::uint32_t barriers = 0;
  std::uint64_t code_bytes = 0;
  std::uint64_t max_threads = 0;             // by __launch_bounds__; 0: none given
  std::optional<PlanExtent> required_block;  // by __block_size__
  std::optional<PlanExtent> cluster;         // by __cluster_dims__
  std::uint32_t max_cluster_blocks = 0;      // by __launch_bounds__; 0: none given
  // By __block_size__ with a cluster: grids then count clusters.
  enum class GridUnit { kBlocks, kClusters } grid_unit = GridUnit::kBlocks;
  std::vector<std::string> externs;  // "vprintf", "malloc": what the driver supplies
};

struct Cubin {
  std::uint32_t sm = 0;              // 90
  std::vector<CubinKernel> kernels;  // by name
  std::vector<PlanSymbol> symbols;   // in the plan's canonical order
  const CubinKernel* find(std::string_view name) const;
};

// `object` names the bytes in messages.
Result<Cubin> parse_cubin(std::span<const std::byte> bytes, std::string_view object);

// Whether bytes begin like a cubin.
bool looks_like_cubin(std::span<const std::byte> bytes);

}  // namespace forge
