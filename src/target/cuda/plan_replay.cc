#include "target/cuda/plan_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>

#include "problem/cuda_arch.h"
#include "target/cuda/plan_codec.h"
#include "target/cuda/plan_validate.h"

namespace forge {
namespace {

Error not_replayable(const std::string& cause) {
  return Error{ErrorKind::kCorrupt, "cannot replay", "a launch plan", cause, ""};
}

}  // namespace

Result<ReplayCode> read_replay_code(std::string_view encoded_plan, std::string image) {
  ReplayCode code;
  FORGE_TRY(code.plan, decode_plan(encoded_plan, "the launch plan"));
  code.image = std::move(image);
  if (!(digest_of(code.image) == code.plan.cubin)) {
    return not_replayable("the cubin beside it is not the one that it names");
  }
  FORGE_TRY(code.cubin, parse_cubin(std::as_bytes(std::span(code.image)), "the cubin"));
  return code;
}

LoadedKernel::~LoadedKernel() {
  // After a failure of the device these fail too, and the process ends anyway.
  for (const GpuGraph graph : graphs_) static_cast<void>(gpu_.destroy(graph));
  if (module_) static_cast<void>(gpu_.unload(*module_));
}

Status LoadedKernel::load() {
  FORGE_TRY(module_, gpu_.load(code_.image));
  FORGE_TRY_STATUS(find_functions());
  FORGE_TRY_STATUS(validate());
  return find_symbols();
}

Status LoadedKernel::find_functions() {
  const Plan& plan = code_.plan;
  std::vector<std::uint32_t> dynamic_shared(plan.kernels.size(), 0);
  std::vector<bool> large_cluster(plan.kernels.size(), false);
  for (const PlanVariant& variant : plan.variants) {
    for (const PlanStep& step : variant.steps) {
      const auto* launch = std::get_if<PlanLaunch>(&step);
      if (launch == nullptr) continue;
      dynamic_shared[launch->kernel] =
          std::max(dynamic_shared[launch->kernel], launch->dynamic_shared);
      if (launch->cluster.count() > kPortableClusterBlocks) large_cluster[launch->kernel] = true;
    }
  }
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    const CubinKernel* kernel = code_.cubin.find(plan.kernels[i]);
    if (kernel == nullptr) return not_replayable("the cubin lacks one of its kernels");
    FORGE_TRY(const GpuFunction function, gpu_.function(*module_, plan.kernels[i]));
    if (kernel->cluster && kernel->cluster->count() > kPortableClusterBlocks) {
      large_cluster[i] = true;
    }
    if (dynamic_shared[i] > 0) {
      FORGE_TRY_STATUS(gpu_.allow_dynamic_shared(function, dynamic_shared[i]));
    }
    if (large_cluster[i]) FORGE_TRY_STATUS(gpu_.allow_large_clusters(function));
    functions_.push_back(function);
  }
  return {};
}

// The worker has checked the plan against what it knew of the device; the device itself decides.
Status LoadedKernel::validate() {
  DeviceProfile device = gpu_.facts().profile;
  if (cuda_arch_number(code_.plan.arch) != device.sm()) {
    return not_replayable(
        fmt::format("it is for {}, the device is {}", code_.plan.arch, device.arch));
  }
  device.arch = code_.plan.arch;
  const auto blocks = [this](const CubinKernel& kernel, const PlanLaunch& launch) {
    const auto& names = code_.plan.kernels;
    const auto at = std::find(names.begin(), names.end(), kernel.name);
    if (at == names.end()) return std::optional<std::uint32_t>();
    const auto found = gpu_.blocks_per_multiprocessor(
        functions_[static_cast<std::size_t>(at - names.begin())],
        static_cast<std::uint32_t>(launch.block.count()), launch.dynamic_shared);
    return found ? std::optional<std::uint32_t>(*found) : std::nullopt;
  };
  const auto fault = validate_plan(code_.plan, {code_.cubin, device, blocks});
  if (!fault) return {};
  return Error{ErrorKind::kInvalidInput, "cannot replay", "its launch plan",
               fmt::format("shape {}, group {}: {}", fault->shape, fault->group, fault->reason),
               ""};
}

Status LoadedKernel::find_symbols() {
  std::map<PlanSection, GpuRange> sections;
  for (const PlanSymbol& symbol : code_.plan.symbols) {
    FORGE_TRY(const GpuRange found, gpu_.symbol(*module_, symbol.name));
    if (found.bytes != symbol.bytes) {
      return not_replayable(
          fmt::format("'{}' has {} bytes on the device", symbol.name, found.bytes));
    }
    symbols_.push_back(found.address);
    GpuRange& section =
        sections.try_emplace(symbol.section, GpuRange{found.address - symbol.offset, 0})
            .first->second;
    if (section.address != found.address - symbol.offset) {
      return not_replayable("its module's variables do not lie as in the cubin");
    }
    section.bytes = std::max(section.bytes, symbol.offset + symbol.bytes);
  }
  for (const auto& [name, range] : sections) {
    Section section{range.address, std::string(range.bytes, '\0')};
    FORGE_TRY_STATUS(gpu_.read(section.image.data(), range.address, range.bytes));
    sections_.push_back(std::move(section));
  }
  return {};
}

Status LoadedKernel::restore() {
  for (const Section& section : sections_) {
    FORGE_TRY_STATUS(gpu_.write(section.address, section.image.data(), section.image.size()));
  }
  return {};
}

DeviceAddress LoadedKernel::address_of(const PlanAddress& address,
                                       const PlanPlacement& placement) const {
  const auto& bases = address.space == PlanSpace::kBuffer ? placement : symbols_;
  return bases.at(address.index) + address.offset;
}

Result<std::string> LoadedKernel::filled(const PlanBlob& blob, const PlanVariant& variant,
                                         const PlanPlacement& placement) {
  std::string bytes = blob.bytes;
  for (const PlanRelocation& relocation : blob.relocations) {
    const DeviceAddress address = address_of(relocation.target, placement);
    std::memcpy(bytes.data() + relocation.position, &address, sizeof address);
  }
  for (const PlanMapUse& use : blob.maps) {
    alignas(kTensorMapAlignment) std::array<std::byte, kTensorMapBytes> map{};
    const PlanTensorMap& arguments = variant.tensor_maps.at(use.map);
    FORGE_TRY_STATUS(gpu_.encode(arguments, address_of(arguments.base, placement), map.data()));
    std::memcpy(bytes.data() + use.position, map.data(), map.size());
  }
  return bytes;
}

Status LoadedKernel::record(const PlanStep& step, const PlanVariant& variant,
                            const PlanPlacement& placement) {
  if (const auto* memset = std::get_if<PlanMemset>(&step)) {
    return gpu_.fill(address_of(memset->target, placement), memset->value, memset->bytes);
  }
  if (const auto* copy = std::get_if<PlanCopy>(&step)) {
    return gpu_.copy(address_of(copy->target, placement), address_of(copy->source, placement),
                     copy->bytes);
  }
  if (const auto* write = std::get_if<PlanWrite>(&step)) {
    FORGE_TRY(std::string data, filled(write->data, variant, placement));
    written_.push_back(std::move(data));
    return gpu_.write(address_of(write->target, placement), written_.back().data(),
                      written_.back().size());
  }
  const auto& launch = std::get<PlanLaunch>(step);
  FORGE_TRY(const std::string parameters, filled(launch.parameters, variant, placement));
  return gpu_.launch({functions_.at(launch.kernel), launch.grid, launch.block, launch.cluster,
                      launch.dynamic_shared, launch.residency, launch.order, launch.carveout,
                      launch.cluster_policy, parameters});
}

Result<GpuGraph> LoadedKernel::capture(std::size_t variant, const PlanPlacement& placement) {
  const PlanVariant& planned = code_.plan.variants.at(variant);
  FORGE_CHECK(placement.size() == planned.buffers.size());
  FORGE_TRY_STATUS(gpu_.begin_capture());
  for (const PlanStep& step : planned.steps) {
    FORGE_TRY_STATUS(record(step, planned, placement));
  }
  FORGE_TRY(const GpuGraph graph, gpu_.end_capture());
  graphs_.push_back(graph);
  return graph;
}

}  // namespace forge
