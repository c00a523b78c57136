// The rules that make a plan's encoding its only one.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "target/cuda/plan_codec.h"

namespace forge {
namespace {

auto symbol_rank(const PlanSymbol& symbol) {
  return std::tie(symbol.section, symbol.offset, symbol.name);
}

// Old index -> new index after sorting; `keep` false drops the item.
template <typename T, typename Less, typename Keep>
std::vector<std::uint32_t> sort_table(std::vector<T>& table, Less less, Keep keep) {
  std::vector<std::uint32_t> order(table.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::uint32_t i) { return !keep(i); });
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return less(table[a], table[b]); });
  std::vector<std::uint32_t> renumbered(table.size(), 0);
  std::vector<T> sorted;
  for (const std::uint32_t old : order) {
    renumbered[old] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(table[old]));
  }
  table = std::move(sorted);
  return renumbered;
}

template <typename Visit>
void visit_blob_addresses(PlanBlob& blob, Visit visit) {
  for (PlanRelocation& relocation : blob.relocations) visit(relocation.target);
}

// Every Address of a variant.
template <typename Visit>
void visit_addresses(PlanVariant& variant, Visit visit) {
  for (PlanTensorMap& map : variant.tensor_maps) visit(map.base);
  for (PlanStep& step : variant.steps) {
    if (auto* launch = std::get_if<PlanLaunch>(&step)) {
      visit_blob_addresses(launch->parameters, visit);
    } else if (auto* memset = std::get_if<PlanMemset>(&step)) {
      visit(memset->target);
    } else if (auto* copy = std::get_if<PlanCopy>(&step)) {
      visit(copy->target);
      visit(copy->source);
    } else if (auto* write = std::get_if<PlanWrite>(&step)) {
      visit(write->target);
      visit_blob_addresses(write->data, visit);
    }
  }
}

PlanBlob* blob_of(PlanStep& step) {
  if (auto* launch = std::get_if<PlanLaunch>(&step)) return &launch->parameters;
  if (auto* write = std::get_if<PlanWrite>(&step)) return &write->data;
  return nullptr;
}
const PlanBlob* blob_of(const PlanStep& step) { return blob_of(const_cast<PlanStep&>(step)); }

template <typename Visit>
void visit_holes(const PlanBlob& blob, Visit visit) {
  for (const PlanRelocation& relocation : blob.relocations) {
    visit(relocation.position, kPointerBytes);
  }
  for (const PlanMapUse& use : blob.maps) visit(use.position, kTensorMapBytes);
}

bool fits(const PlanBlob& blob, std::uint64_t position, std::size_t size) {
  return position <= blob.bytes.size() && blob.bytes.size() - position >= size;
}

void canonicalise_blob(PlanBlob& blob) {
  const auto by_position = [](const auto& a, const auto& b) { return a.position < b.position; };
  std::sort(blob.relocations.begin(), blob.relocations.end(), by_position);
  std::sort(blob.maps.begin(), blob.maps.end(), by_position);
  visit_holes(blob, [&](std::uint32_t position, std::size_t size) {
    FORGE_CHECK(fits(blob, position, size));
    std::fill_n(blob.bytes.begin() + position, size, '\0');
  });
}

bool launch_precedes(const std::vector<PlanStep>& steps, std::size_t index) {
  return index > 0 && std::holds_alternative<PlanLaunch>(steps[index - 1]);
}

// Tensor maps in the order of their first use, each once.
void number_maps(PlanVariant& variant) {
  std::vector<PlanTensorMap> used;
  for (PlanStep& step : variant.steps) {
    PlanBlob* blob = blob_of(step);
    if (blob == nullptr) continue;
    for (PlanMapUse& use : blob->maps) {
      const PlanTensorMap& map = variant.tensor_maps.at(use.map);
      const auto found = std::find(used.begin(), used.end(), map);
      use.map = static_cast<std::uint32_t>(found - used.begin());
      if (found == used.end()) used.push_back(map);
    }
  }
  variant.tensor_maps = std::move(used);
}

std::string blob_fault(const PlanBlob& blob) {
  std::uint64_t end = 0;
  std::vector<std::pair<std::uint64_t, std::size_t>> holes;
  visit_holes(
      blob, [&](std::uint32_t position, std::size_t size) { holes.emplace_back(position, size); });
  const auto first_map = holes.begin() + static_cast<std::ptrdiff_t>(blob.relocations.size());
  if (!std::is_sorted(holes.begin(), first_map) || !std::is_sorted(first_map, holes.end())) {
    return "pointers or tensor maps are not in order";
  }
  std::sort(holes.begin(), holes.end());
  for (const auto& [position, size] : holes) {
    if (position < end || !fits(blob, position, size)) {
      return "pointers or tensor maps overlap or lie outside the parameters";
    }
    end = position + size;
    const std::string_view hole = std::string_view(blob.bytes).substr(position, size);
    if (hole.find_first_not_of('\0') != std::string_view::npos) return "a hole is not empty";
  }
  return "";
}

std::string map_order_fault(const PlanVariant& variant) {
  std::size_t seen = 0;
  for (const PlanStep& step : variant.steps) {
    const PlanBlob* blob = blob_of(step);
    if (blob == nullptr) continue;
    for (const PlanMapUse& use : blob->maps) {
      if (use.map > seen || use.map >= variant.tensor_maps.size()) {
        return "tensor maps are not numbered by their first use";
      }
      seen = std::max(seen, std::size_t{use.map} + 1);
    }
  }
  if (seen != variant.tensor_maps.size()) return "a tensor map is never used";
  for (std::size_t i = 0; i < variant.tensor_maps.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (variant.tensor_maps[i] == variant.tensor_maps[j]) return "a tensor map is listed twice";
    }
  }
  return "";
}

std::string step_fault(const PlanVariant& variant, std::size_t index) {
  const PlanStep& step = variant.steps[index];
  if (const PlanBlob* blob = blob_of(step)) {
    if (std::string fault = blob_fault(*blob); !fault.empty()) return fault;
  }
  if (const auto* launch = std::get_if<PlanLaunch>(&step)) {
    if (launch->order == PlanOrder::kProgrammatic && !launch_precedes(variant.steps, index)) {
      return "a launch is programmatic, but no launch precedes it";
    }
  } else if (const auto* memset = std::get_if<PlanMemset>(&step)) {
    if (memset->bytes == 0) return "a memset has no bytes";
  } else if (const auto* copy = std::get_if<PlanCopy>(&step)) {
    if (copy->bytes == 0) return "a copy has no bytes";
  }
  return "";
}

std::string variant_fault(const PlanVariant& variant, std::vector<bool>& launched) {
  for (std::size_t i = 0; i < variant.steps.size(); ++i) {
    if (std::string fault = step_fault(variant, i); !fault.empty()) return fault;
    const auto* launch = std::get_if<PlanLaunch>(&variant.steps[i]);
    if (launch == nullptr) continue;
    if (launch->kernel >= launched.size()) return "a launch names no kernel of the plan";
    launched[launch->kernel] = true;
  }
  return map_order_fault(variant);
}

std::string size_fault(const Plan& plan) {
  if (plan.variants.size() > kMaxPlanVariants) return "it has too many variants";
  if (plan.kernels.size() > kMaxPlanKernels) return "it has too many kernels";
  if (plan.symbols.size() > kMaxPlanSymbols) return "it has too many symbols";
  for (const PlanVariant& variant : plan.variants) {
    if (variant.steps.size() > kMaxPlanSteps) return "a variant has too many steps";
    // They are compared pairwise.
    if (variant.tensor_maps.size() > kMaxPlanMaps) return "a variant has too many tensor maps";
  }
  return "";
}

}  // namespace

void make_canonical(Plan& plan) {
  std::vector<bool> launched(plan.kernels.size(), false);
  for (PlanVariant& variant : plan.variants) {
    for (std::size_t i = 0; i < variant.steps.size(); ++i) {
      if (PlanBlob* blob = blob_of(variant.steps[i])) canonicalise_blob(*blob);
      auto* launch = std::get_if<PlanLaunch>(&variant.steps[i]);
      if (launch == nullptr) continue;
      launched.at(launch->kernel) = true;
      if (!launch_precedes(variant.steps, i)) launch->order = PlanOrder::kSerial;
    }
    number_maps(variant);
  }
  const auto kernels = sort_table(plan.kernels, std::less<>(), [&](auto i) { return launched[i]; });
  const auto symbols = sort_table(
      plan.symbols, [](const auto& a, const auto& b) { return symbol_rank(a) < symbol_rank(b); },
      [](auto) { return true; });
  for (PlanVariant& variant : plan.variants) {
    for (PlanStep& step : variant.steps) {
      if (auto* launch = std::get_if<PlanLaunch>(&step)) launch->kernel = kernels[launch->kernel];
    }
    visit_addresses(variant, [&](PlanAddress& address) {
      if (address.space == PlanSpace::kSymbol) address.index = symbols.at(address.index);
    });
  }
}

std::string why_not_canonical(const Plan& plan) {
  if (std::string fault = size_fault(plan); !fault.empty()) return fault;
  const auto ascending = [](const auto& table, auto less) {
    return std::adjacent_find(table.begin(), table.end(), [&](const auto& a, const auto& b) {
             return !less(a, b);
           }) == table.end();
  };
  if (!ascending(plan.kernels, std::less<>())) return "its kernels are not in order";
  if (!ascending(plan.symbols,
                 [](const auto& a, const auto& b) { return symbol_rank(a) < symbol_rank(b); })) {
    return "its symbols are not in order";
  }
  std::vector<bool> launched(plan.kernels.size(), false);
  for (const PlanVariant& variant : plan.variants) {
    std::string fault = variant_fault(variant, launched);
    if (!fault.empty()) {
      return fmt::format("shape {}, group {}: {}", variant.shape, variant.group, fault);
    }
  }
  if (std::find(launched.begin(), launched.end(), false) != launched.end()) {
    return "it lists a kernel that nothing launches";
  }
  return "";
}

}  // namespace forge
