#include "target/cuda/plan_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::size_t kShownBytes = 16;
constexpr std::size_t kShownSteps = 64;

std::string extent_text(const PlanExtent& extent) {
  if (extent.y == 1 && extent.z == 1) return std::to_string(extent.x);
  if (extent.z == 1) return fmt::format("{}x{}", extent.x, extent.y);
  return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes.substr(0, kShownBytes)) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return bytes.size() > kShownBytes ? text + "…" : text;
}

class VariantText {
 public:
  VariantText(const Plan& plan, const PlanVariant& variant,
              const std::vector<KernelInspection>& kernels)
      : plan_(plan), variant_(variant), kernels_(kernels) {}

  std::string text() const {
    std::string out = "  buffers  ";
    std::vector<std::string> buffers;
    for (const PlanBuffer& buffer : variant_.buffers) {
      buffers.push_back(fmt::format("{} {} {}", kind_text(buffer.kind), printable(buffer.name),
                                    format_bytes(static_cast<double>(buffer.bytes))));
    }
    out += join(buffers, ", ") + "\n";
    for (std::size_t i = 0; i < variant_.tensor_maps.size(); ++i) {
      out += fmt::format("  map {}    {}\n", i, map_text(variant_.tensor_maps[i]));
    }
    for (std::size_t i = 0; i < variant_.steps.size(); ++i) {
      if (i == kShownSteps) {
        out += fmt::format("  … {} more steps\n", variant_.steps.size() - i);
        break;
      }
      out += fmt::format(
          "  {:>3}  {}\n", i,
          std::visit([&](const auto& step) { return step_text(step); }, variant_.steps[i]));
    }
    if (variant_.steps.empty()) out += "  nothing is done\n";
    return out;
  }

 private:
  static std::string_view kind_text(PlanBufferKind kind) {
    switch (kind) {
      case PlanBufferKind::kInput:
        return "in";
      case PlanBufferKind::kInOut:
        return "in-out";
      case PlanBufferKind::kOutput:
        return "out";
      case PlanBufferKind::kWorkspace:
        return "scratch";
    }
    return "";
  }

  std::string address_text(const PlanAddress& address) const {
    const std::string name =
        printable(address.space == PlanSpace::kBuffer ? variant_.buffers[address.index].name
                                                      : plan_.symbols[address.index].name);
    return address.offset == 0 ? name : fmt::format("{}+{}", name, address.offset);
  }

  std::string map_text(const PlanTensorMap& map) const {
    std::vector<std::string> sizes;
    for (const std::uint64_t size : map.sizes) sizes.push_back(std::to_string(size));
    std::vector<std::string> box;
    for (const std::uint32_t size : map.box) box.push_back(std::to_string(size));
    return fmt::format("{} of {}, type {}, sizes {} (innermost first), box {}, swizzle {}",
                       map.kind == PlanMapKind::kTiled ? "tiles" : "image columns",
                       address_text(map.base), map.data_type, join(sizes, "x"), join(box, "x"),
                       map.swizzle);
  }

  // Pointers and tensor maps at their places, other bytes in between.
  std::string blob_text(const PlanBlob& blob) const {
    struct Hole {
      std::size_t position, size;
      std::string text;
    };
    std::vector<Hole> holes;
    for (const PlanRelocation& r : blob.relocations) {
      holes.push_back({r.position, kPointerBytes, address_text(r.target)});
    }
    for (const PlanMapUse& use : blob.maps) {
      holes.push_back({use.position, kTensorMapBytes, fmt::format("map {}", use.map)});
    }
    std::sort(holes.begin(), holes.end(),
              [](const Hole& a, const Hole& b) { return a.position < b.position; });
    std::vector<std::string> parts;
    std::size_t at = 0;
    const auto add_bytes = [&](std::size_t end) {
      const std::string_view bytes = std::string_view(blob.bytes).substr(at, end - at);
      if (bytes.find_first_not_of('\0') != std::string_view::npos) parts.push_back(hex(bytes));
    };
    for (const Hole& hole : holes) {
      add_bytes(hole.position);
      parts.push_back(hole.text);
      at = hole.position + hole.size;
    }
    add_bytes(blob.bytes.size());
    return join(parts, ", ");
  }

  std::string step_text(const PlanLaunch& launch) const {
    std::string text = fmt::format("{}<<<{}, {}", kernels_[launch.kernel].readable,
                                   extent_text(launch.grid), extent_text(launch.block));
    if (launch.dynamic_shared > 0) text += fmt::format(", {} B", launch.dynamic_shared);
    text += fmt::format(">>>({})", blob_text(launch.parameters));
    if (!(launch.cluster == kNoCluster)) {
      text += fmt::format(" cluster {}", extent_text(launch.cluster));
    }
    if (launch.residency == PlanResidency::kCooperative) text += " cooperative";
    if (launch.order == PlanOrder::kProgrammatic) text += " overlaps the launch before";
    if (launch.carveout != kNoCarveout) text += fmt::format(" carve-out {} %", launch.carveout);
    return text;
  }
  std::string step_text(const PlanMemset& step) const {
    return fmt::format("set {} to {:#04x}, {}", address_text(step.target), step.value,
                       format_bytes(static_cast<double>(step.bytes)));
  }
  std::string step_text(const PlanCopy& step) const {
    return fmt::format("copy {} to {}, {}", address_text(step.source), address_text(step.target),
                       format_bytes(static_cast<double>(step.bytes)));
  }
  std::string step_text(const PlanWrite& step) const {
    return fmt::format("write {} bytes to {}: {}", step.data.bytes.size(),
                       address_text(step.target), blob_text(step.data));
  }

  const Plan& plan_;
  const PlanVariant& variant_;
  const std::vector<KernelInspection>& kernels_;
};

std::string kernel_text(const KernelInspection& kernel) {
  std::string text = fmt::format(
      "  {}: {} registers, spills {} B, stack {} B, static shared memory {} B, code {}\n",
      kernel.readable, kernel.code.registers,
      kernel.ptxas.spill_store_bytes + kernel.ptxas.spill_load_bytes, kernel.code.stack_bytes,
      kernel.code.static_shared, format_bytes(static_cast<double>(kernel.code.code_bytes)));
  for (const LaunchShape& launch : kernel.launches) {
    text += fmt::format(
        "      {} threads, {} B dynamic: {} blocks a multiprocessor, occupancy {:.0f} %\n",
        launch.threads, launch.dynamic_shared, launch.blocks, 100 * launch.occupancy);
  }
  if (!kernel.sass) return text;
  std::vector<std::string> counts;
  for (const auto& [name, count] : *kernel.sass) {
    if (count > 0) counts.push_back(fmt::format("{} {}", name, count));
  }
  return text + "      instructions: " + (counts.empty() ? "none counted" : join(counts, ", ")) +
         "\n";
}

// The variants before `index` have other steps.
std::size_t same_as(const Plan& plan, std::size_t index) {
  for (std::size_t i = 0; i < index; ++i) {
    if (plan.variants[i].shape == plan.variants[index].shape &&
        plan.variants[i].buffers == plan.variants[index].buffers &&
        plan.variants[i].tensor_maps == plan.variants[index].tensor_maps &&
        plan.variants[i].steps == plan.variants[index].steps) {
      return i;
    }
  }
  return index;
}

}  // namespace

std::string plan_text(const Plan& plan, const std::vector<KernelInspection>& kernels,
                      const DeviceProfile& device) {
  std::string out = fmt::format(
      "device     {}, {} ({} multiprocessors{})\n", device.name, plan.arch, device.multiprocessors,
      device.origin == DeviceOrigin::kAssumed ? "; assumed, none is here" : "");
  out += fmt::format("cubin      {}\nkernels\n", plan.cubin.brief());
  bool disassembled = true;
  for (const KernelInspection& kernel : kernels) {
    out += kernel_text(kernel);
    disassembled = disassembled && kernel.sass.has_value();
  }
  if (!disassembled) out += "  instructions were not counted: there is no nvdisasm here\n";
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    const PlanVariant& variant = plan.variants[i];
    out += fmt::format("shape {}, group {}\n", printable(variant.shape), printable(variant.group));
    const std::size_t same = same_as(plan, i);
    out += same < i ? fmt::format("  as for group {}\n", printable(plan.variants[same].group))
                    : VariantText(plan, variant, kernels).text();
  }
  return out;
}

}  // namespace forge
