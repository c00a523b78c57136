// What a CUDA kernel does on the device, as a value: launches and copies whose pointers are
// (buffer, offset). Pure. May know: base. Format and meaning: docs/formats/plan.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/digest.h"

namespace forge {

enum class PlanSection : std::uint8_t { kGlobal = 0, kGlobalInit = 1, kConstant = 2 };

// A module-scope variable of the cubin.
struct PlanSymbol {
  std::string name;
  PlanSection section = PlanSection::kGlobal;
  std::uint64_t offset = 0;  // in its section
  std::uint64_t bytes = 0;
  enum class Image : std::uint8_t { kFromCubin = 0, kFromLoader = 1 } image = Image::kFromCubin;
  bool operator==(const PlanSymbol&) const = default;
};

enum class PlanBufferKind : std::uint8_t { kInput = 0, kInOut = 1, kOutput = 2, kWorkspace = 3 };

struct PlanBuffer {
  PlanBufferKind kind = PlanBufferKind::kInput;
  std::string name;
  std::uint64_t bytes = 0;
  bool operator==(const PlanBuffer&) const = default;
};
inline constexpr std::string_view kPlanWorkspace = "workspace";

enum class PlanSpace : std::uint8_t { kBuffer = 0, kSymbol = 1 };

struct PlanAddress {
  PlanSpace space = PlanSpace::kBuffer;
  std::uint32_t index = 0;
  std::uint64_t offset = 0;
  bool operator==(const PlanAddress&) const = default;
};

inline constexpr std::size_t kPointerBytes = 8;
inline constexpr std::size_t kTensorMapBytes = 128;
inline constexpr std::size_t kTensorMapAlignment = 64;

struct PlanRelocation {
  std::uint32_t position = 0;
  PlanAddress target;
  bool operator==(const PlanRelocation&) const = default;
};
struct PlanMapUse {
  std::uint32_t position = 0;
  std::uint32_t map = 0;
  bool operator==(const PlanMapUse&) const = default;
};

// Bytes with holes for pointers and tensor maps; zero in every hole.
struct PlanBlob {
  std::string bytes;
  std::vector<PlanRelocation> relocations;
  std::vector<PlanMapUse> maps;
  bool operator==(const PlanBlob&) const = default;
};

struct PlanExtent {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;
  bool operator==(const PlanExtent&) const = default;
  // Exact: each factor has 32 bits, and a grid's product is bounded by the limits of a device.
  unsigned __int128 count() const { return static_cast<unsigned __int128>(x) * y * z; }
};
inline constexpr PlanExtent kNoCluster{0, 0, 0};

enum class PlanResidency : std::uint8_t { kAny = 0, kCooperative = 1 };
enum class PlanOrder : std::uint8_t { kSerial = 0, kProgrammatic = 1 };
enum class PlanClusterPolicy : std::uint8_t { kDefault = 0, kSpread = 1, kLoadBalancing = 2 };
inline constexpr std::int32_t kNoCarveout = -1;

struct PlanLaunch {
  std::uint32_t kernel = 0;
  PlanExtent grid;
  PlanExtent block;
  PlanExtent cluster = kNoCluster;
  std::uint32_t dynamic_shared = 0;  // bytes
  PlanResidency residency = PlanResidency::kAny;
  PlanOrder order = PlanOrder::kSerial;
  std::int32_t carveout = kNoCarveout;  // percent
  PlanClusterPolicy cluster_policy = PlanClusterPolicy::kDefault;
  PlanBlob parameters;
  bool operator==(const PlanLaunch&) const = default;
};
struct PlanMemset {
  PlanAddress target;
  std::uint8_t value = 0;
  std::uint64_t bytes = 0;
  bool operator==(const PlanMemset&) const = default;
};
struct PlanCopy {
  PlanAddress target;
  PlanAddress source;
  std::uint64_t bytes = 0;
  bool operator==(const PlanCopy&) const = default;
};
struct PlanWrite {
  PlanAddress target;  // a symbol
  PlanBlob data;
  bool operator==(const PlanWrite&) const = default;
};
using PlanStep = std::variant<PlanLaunch, PlanMemset, PlanCopy, PlanWrite>;

enum class PlanMapKind : std::uint8_t { kTiled = 0, kIm2col = 1 };

// The driver API's own numbers.
struct PlanTensorMap {
  PlanMapKind kind = PlanMapKind::kTiled;
  std::uint8_t data_type = 0;
  PlanAddress base;
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint64_t> strides;  // bytes; one less than sizes
  std::vector<std::uint32_t> box;      // im2col: channels per pixel, pixels per column
  std::vector<std::int32_t> lower;     // im2col only
  std::vector<std::int32_t> upper;
  std::vector<std::uint32_t> element_strides;
  std::uint8_t interleave = 0;
  std::uint8_t swizzle = 0;
  std::uint8_t l2_promotion = 0;
  std::uint8_t fill = 0;
  bool operator==(const PlanTensorMap&) const = default;
};

struct PlanVariant {
  std::string shape;
  std::string group;
  std::vector<PlanBuffer> buffers;
  std::vector<PlanTensorMap> tensor_maps;
  std::vector<PlanStep> steps;
  bool operator==(const PlanVariant&) const = default;
};

struct Plan {
  std::string arch;
  Digest cubin;
  std::vector<std::string> kernels;
  std::vector<PlanSymbol> symbols;
  std::vector<PlanVariant> variants;
  bool operator==(const Plan&) const = default;
};

inline constexpr std::size_t kMaxPlanBytes = 64u << 20;
inline constexpr std::size_t kMaxPlanVariants = 1024;
inline constexpr std::size_t kMaxPlanKernels = 4096;
inline constexpr std::size_t kMaxPlanSymbols = 65536;
inline constexpr std::size_t kMaxPlanSteps = 65536;  // of a variant
inline constexpr std::size_t kMaxPlanMaps = 4096;    // of a variant

}  // namespace forge
