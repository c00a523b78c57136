#include "target/cuda/plan_validate.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <set>

#include "base/text.h"
#include "problem/cuda_arch.h"
#include "target/cuda/tensor_map_rules.h"

namespace forge {
namespace {

using Fault = std::optional<std::string>;

constexpr std::uint32_t kWarp = 32;
constexpr std::uint32_t kMaxGridX = 0x7fffffff;
constexpr std::uint32_t kMaxGridYZ = 65535;
constexpr std::uint32_t kMaxBlockZ = 64;
// Registers are handed out to a warp in units of 256 (cudaOccRegAllocationGranularity).
constexpr std::uint32_t kRegisterUnit = 256;
constexpr std::size_t kShownName = 80;

std::string text_of(const PlanExtent& extent) {
  return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z);
}

class VariantValidator {
 public:
  VariantValidator(const Plan& plan, const PlanVariant& variant, const PlanContext& context)
      : plan_(plan), variant_(variant), context_(context), named_(variant.buffers.size(), false) {}

  Fault check() {
    if (auto fault = check_buffers()) return fault;
    for (std::size_t i = 0; i < variant_.tensor_maps.size(); ++i) {
      if (auto fault = check_map(variant_.tensor_maps[i])) {
        return fmt::format("tensor map {}: {}", i, *fault);
      }
    }
    for (std::size_t i = 0; i < variant_.steps.size(); ++i) {
      const auto fault =
          std::visit([&](const auto& step) { return check_step(step); }, variant_.steps[i]);
      if (fault) return fmt::format("step {}{}: {}", i, kernel_text(variant_.steps[i]), *fault);
    }
    return check_outputs();
  }

 private:
  Fault check_buffers() const {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < variant_.buffers.size(); ++i) {
      const PlanBuffer& buffer = variant_.buffers[i];
      if (!names.insert(buffer.name).second) {
        return fmt::format("two buffers are called {}", printable(buffer.name));
      }
      const bool workspace = buffer.kind == PlanBufferKind::kWorkspace;
      if (workspace && (i + 1 != variant_.buffers.size() || buffer.bytes == 0)) {
        return "the workspace is not the last buffer, or is empty";
      }
    }
    return std::nullopt;
  }

  std::string kernel_text(const PlanStep& step) const {
    const auto* launch = std::get_if<PlanLaunch>(&step);
    if (launch == nullptr || launch->kernel >= plan_.kernels.size()) return "";
    return fmt::format(" ({})", readable_kernel_name(plan_.kernels[launch->kernel]));
  }

  // `bytes` from `address` lie within its memory; marks the buffer as named.
  Fault check_address(const PlanAddress& address, std::uint64_t bytes) {
    const bool buffer = address.space == PlanSpace::kBuffer;
    const std::size_t count = buffer ? variant_.buffers.size() : plan_.symbols.size();
    if (address.index >= count) return "an address names no buffer or symbol";
    const std::uint64_t room =
        buffer ? variant_.buffers[address.index].bytes : plan_.symbols[address.index].bytes;
    if (address.offset > room || room - address.offset < bytes) {
      return fmt::format("{} bytes at offset {} reach beyond {} ({} bytes)", bytes, address.offset,
                         name_of(address), room);
    }
    if (buffer) named_[address.index] = true;
    return std::nullopt;
  }

  std::string name_of(const PlanAddress& address) const {
    return printable(address.space == PlanSpace::kBuffer ? variant_.buffers[address.index].name
                                                         : plan_.symbols[address.index].name);
  }

  Fault check_target(const PlanAddress& address, std::uint64_t bytes) {
    if (auto fault = check_address(address, bytes)) return fault;
    if (address.space == PlanSpace::kBuffer &&
        variant_.buffers[address.index].kind == PlanBufferKind::kInput) {
      return fmt::format("it writes to the input {}", name_of(address));
    }
    return std::nullopt;
  }

  Fault check_blob(const PlanBlob& blob) {
    for (const PlanRelocation& relocation : blob.relocations) {
      if (auto fault = check_address(relocation.target, 0)) return fault;
    }
    return std::nullopt;
  }

  Fault check_map(const PlanTensorMap& map) {
    const std::size_t rank = map.sizes.size();
    const bool im2col = map.kind == PlanMapKind::kIm2col;
    if (rank == 0 || rank > tensor_map::kMaxRank || map.strides.size() != rank - 1 ||
        map.element_strides.size() != rank || map.box.size() != (im2col ? 2 : rank) ||
        map.lower.size() != (im2col ? std::max<std::size_t>(rank, 2) - 2 : 0) ||
        map.upper.size() != map.lower.size()) {
      return "its rank and the lengths of its lists do not fit";
    }
    tensor_map::Arguments a;
    a.im2col = im2col;
    a.data_type = map.data_type;
    a.rank = static_cast<std::uint32_t>(rank);
    a.address = map.base.offset;  // bases are aligned to 256 bytes
    a.sizes = map.sizes.data();
    a.strides = map.strides.data();
    a.box = map.box.data();
    a.lower = map.lower.data();
    a.upper = map.upper.data();
    a.element_strides = map.element_strides.data();
    a.interleave = map.interleave;
    a.swizzle = map.swizzle;
    a.l2_promotion = map.l2_promotion;
    a.fill = map.fill;
    if (context_.device.major < 9) return "this architecture has no tensor maps";
    if (const char* wrong = tensor_map::fault(a)) return wrong;
    if (map.base.space != PlanSpace::kBuffer) return "its base is no buffer";
    return check_address(map.base, tensor_map::reach_bytes(a));
  }

  Fault check_step(const PlanMemset& step) { return check_target(step.target, step.bytes); }
  Fault check_step(const PlanCopy& step) {
    if (auto fault = check_address(step.source, step.bytes)) return fault;
    return check_target(step.target, step.bytes);
  }
  Fault check_step(const PlanWrite& step) {
    if (step.target.space != PlanSpace::kSymbol) return "a write goes to symbols only";
    if (auto fault = check_target(step.target, step.data.bytes.size())) return fault;
    for (const PlanMapUse& use : step.data.maps) {
      if ((step.target.offset + use.position) % kTensorMapAlignment != 0) {
        return "a tensor map is written to a place that is not aligned to 64 bytes";
      }
    }
    return check_blob(step.data);
  }
  Fault check_step(const PlanLaunch& launch) {
    const CubinKernel* kernel = context_.cubin.find(plan_.kernels[launch.kernel]);
    if (kernel == nullptr) return "the cubin has no such kernel";
    if (auto fault = check_parameters(launch, *kernel)) return fault;
    if (auto fault = check_extents(launch, *kernel)) return fault;
    if (auto fault = check_cluster(launch, *kernel)) return fault;
    if (auto fault = check_resources(launch, *kernel)) return fault;
    return check_residency(launch, *kernel);
  }

  Fault check_parameters(const PlanLaunch& launch, const CubinKernel& kernel) {
    if (launch.parameters.bytes.size() != kernel.parameter_bytes) {
      return fmt::format("it has {} bytes of parameters, the kernel takes {}",
                         launch.parameters.bytes.size(), kernel.parameter_bytes);
    }
    const auto inside_one = [&](std::uint64_t position, std::uint64_t size) {
      for (const CubinParameter& p : kernel.parameters) {
        if (position >= p.offset && position + size <= std::uint64_t{p.offset} + p.bytes)
          return true;
      }
      return false;
    };
    for (const PlanRelocation& relocation : launch.parameters.relocations) {
      if (!inside_one(relocation.position, kPointerBytes)) return "a pointer crosses parameters";
    }
    for (const PlanMapUse& use : launch.parameters.maps) {
      if (!inside_one(use.position, kTensorMapBytes)) return "a tensor map crosses parameters";
      if ((kernel.parameter_base + use.position) % kTensorMapAlignment != 0) {
        return "a tensor map among its parameters is not aligned to 64 bytes";
      }
    }
    return check_blob(launch.parameters);
  }

  Fault check_extents(const PlanLaunch& launch, const CubinKernel& kernel) const {
    const PlanExtent& grid = launch.grid;
    const PlanExtent& block = launch.block;
    if (grid.count() == 0 || grid.x > kMaxGridX || grid.y > kMaxGridYZ || grid.z > kMaxGridYZ) {
      return fmt::format("its grid {} is empty or beyond {} x {} x {}", text_of(grid), kMaxGridX,
                         kMaxGridYZ, kMaxGridYZ);
    }
    const std::uint32_t most = context_.device.max_threads_per_block;
    if (block.count() == 0 || block.count() > most || block.z > kMaxBlockZ) {
      return fmt::format("its block {} is empty or beyond {} threads", text_of(block), most);
    }
    if (kernel.required_block && !(block == *kernel.required_block)) {
      return fmt::format("its block {} is not the one it was compiled for ({})", text_of(block),
                         text_of(*kernel.required_block));
    }
    if (kernel.max_threads != 0 && block.count() > kernel.max_threads) {
      return fmt::format("its block {} has more threads than its launch bounds allow ({})",
                         text_of(block), kernel.max_threads);
    }
    if (kernel.grid_unit == CubinKernel::GridUnit::kClusters) {
      return "its grid counts clusters (__block_size__); use __cluster_dims__";
    }
    return std::nullopt;
  }

  Fault check_cluster(const PlanLaunch& launch, const CubinKernel& kernel) const {
    const bool given = !(launch.cluster == kNoCluster);
    if (given && kernel.cluster && !(launch.cluster == *kernel.cluster)) {
      return fmt::format("its cluster {} is not the one it was compiled for ({})",
                         text_of(launch.cluster), text_of(*kernel.cluster));
    }
    if (!given && !kernel.cluster) {
      return launch.cluster_policy == PlanClusterPolicy::kDefault
                 ? Fault()
                 : Fault("it has a cluster policy but no cluster");
    }
    const PlanExtent cluster = given ? launch.cluster : *kernel.cluster;
    const std::uint32_t most =
        kernel.max_cluster_blocks != 0
            ? std::min(kernel.max_cluster_blocks, context_.device.max_cluster_blocks)
            : context_.device.max_cluster_blocks;
    if (cluster.count() == 0 || cluster.count() > most) {
      return fmt::format("its cluster {} is empty or beyond {} blocks", text_of(cluster), most);
    }
    if (launch.grid.x % cluster.x != 0 || launch.grid.y % cluster.y != 0 ||
        launch.grid.z % cluster.z != 0) {
      return fmt::format("its grid {} is no multiple of its cluster {}", text_of(launch.grid),
                         text_of(cluster));
    }
    return std::nullopt;
  }

  Fault check_resources(const PlanLaunch& launch, const CubinKernel& kernel) const {
    const std::uint64_t shared = std::uint64_t{kernel.static_shared} + launch.dynamic_shared;
    const std::uint32_t most = context_.device.shared_per_block_optin;
    if (shared > most) {
      return fmt::format("a block needs {} bytes of shared memory, {} has {}", shared,
                         context_.device.name, most);
    }
    const auto warps = (static_cast<std::uint64_t>(launch.block.count()) + kWarp - 1) / kWarp;
    const std::uint64_t warp_registers =
        (std::uint64_t{kernel.registers} * kWarp + kRegisterUnit - 1) / kRegisterUnit *
        kRegisterUnit;
    if (warps * warp_registers > context_.device.registers_per_block) {
      return fmt::format("a block needs {} registers, {} has {}", warps * warp_registers,
                         context_.device.name, context_.device.registers_per_block);
    }
    if (launch.carveout < kNoCarveout || launch.carveout > 100)
      return "its carve-out is no percentage";
    for (const std::string& name : kernel.externs) {
      if (name == "malloc" || name == "free") {
        return "it allocates on the device, which would keep state from call to call: use the "
               "workspace";
      }
    }
    return std::nullopt;
  }

  Fault check_residency(const PlanLaunch& launch, const CubinKernel& kernel) const {
    if (launch.residency != PlanResidency::kCooperative) return std::nullopt;
    const auto blocks = context_.blocks_per_multiprocessor(kernel, launch);
    if (!blocks) return "nobody could say how many of its blocks fit the device at once";
    const std::uint64_t room = std::uint64_t{*blocks} * context_.device.multiprocessors;
    if (launch.grid.count() <= room) return std::nullopt;
    return fmt::format("its cooperative grid {} does not fit {} at once ({} blocks)",
                       text_of(launch.grid), context_.device.name, room);
  }

  Fault check_outputs() const {
    for (std::size_t i = 0; i < variant_.buffers.size(); ++i) {
      const PlanBuffer& buffer = variant_.buffers[i];
      const bool must =
          buffer.kind == PlanBufferKind::kOutput || buffer.kind == PlanBufferKind::kInOut;
      if (must && buffer.bytes > 0 && !named_[i]) {
        return fmt::format("no step names the output {}, so nothing can have written it",
                           printable(buffer.name));
      }
    }
    return std::nullopt;
  }

  const Plan& plan_;
  const PlanVariant& variant_;
  const PlanContext& context_;
  std::vector<bool> named_;
};

}  // namespace

std::string readable_kernel_name(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  std::string name = plain != nullptr ? plain.get() : mangled;
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(kAnonymous)) != std::string::npos;) {
    name.erase(at, kAnonymous.size());
  }
  // Parameters begin at the first parenthesis outside template arguments.
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == '(' && depth == 0) {
      name.resize(i);
      break;
    }
  }
  if (name.starts_with("void ")) name.erase(0, 5);
  return clip(printable(name), kShownName);
}

std::optional<PlanFault> validate_plan(const Plan& plan, const PlanContext& context) {
  if (!is_cuda_arch(plan.arch) || context.cubin.sm != cuda_arch_number(plan.arch) ||
      plan.arch != context.device.arch) {
    return PlanFault{"", "",
                     fmt::format("it is for {}, the cubin for sm_{} and the device takes {}",
                                 printable(plan.arch), context.cubin.sm, context.device.arch)};
  }
  if (plan.symbols != context.cubin.symbols) {
    return PlanFault{"", "", "its symbols are not those of the cubin"};
  }
  for (const PlanVariant& variant : plan.variants) {
    if (auto fault = VariantValidator(plan, variant, context).check()) {
      return PlanFault{variant.shape, variant.group, std::move(*fault)};
    }
  }
  return std::nullopt;
}

}  // namespace forge
