#include "target/cuda/plan_assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "target/cuda/plan_validate.h"

namespace forge {
namespace {

constexpr const char* kUnsteady =
    "differs between two calls with the same arguments: it must depend on the arguments alone, not "
    "on time, on earlier calls or on the process's surroundings";
constexpr const char* kByAddress =
    "depends on where the buffers lie (pointers are aligned to 256 bytes; rely on no more)";

// The same thing as the three calls noted it down.
template <typename T>
struct Triple {
  T first, moved, again;

  // Of what T points to.
  template <typename Member>
  auto map(Member member) const {
    using Part = std::decay_t<decltype(member(*first))>;
    return Triple<Part>{member(*first), member(*moved), member(*again)};
  }
};

struct Refusal {
  std::string reason;
};
template <typename T>
using Checked = tl::expected<T, Refusal>;

tl::unexpected<Refusal> refuse(std::string reason) {
  return tl::unexpected<Refusal>(Refusal{std::move(reason)});
}

// The word at `position`, or what of it there is.
std::uint64_t word_at(const std::string& bytes, std::size_t position) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + position, kPointerBytes);
  return word;
}

class Assembler {
 public:
  Assembler(const AssembleInput& input, const VariantCalls& calls, std::vector<PlanBuffer> buffers)
      : input_(input),
        placements_{&input.setup.calls[calls.first], &input.setup.calls[calls.moved],
                    &input.setup.calls[calls.again]} {
    variant_.buffers = std::move(buffers);
  }

  Checked<PlanVariant> assemble(const Triple<const CallRecording*>& calls) {
    if (auto failed = take_workspace(calls); !failed) return refuse(failed.error().reason);
    if (auto failed = take_maps(calls); !failed) return refuse(failed.error().reason);
    const auto lists = calls.map([](const CallRecording& c) { return &c.steps; });
    const auto counts = lists.map([](const auto& list) { return list.size(); });
    if (counts.first != counts.again) {
      return refuse(fmt::format("the number of its launches {}", kUnsteady));
    }
    if (counts.first != counts.moved) {
      return refuse(fmt::format("the number of its launches {}", kByAddress));
    }
    for (std::size_t i = 0; i < counts.first; ++i) {
      const auto steps = lists.map([&](const auto& list) { return &list[i]; });
      auto step = take_step(steps);
      if (!step)
        return refuse(
            fmt::format("step {}{}: {}", i, kernel_text(*steps.first), step.error().reason));
      variant_.steps.push_back(std::move(*step));
    }
    return std::move(variant_);
  }

 private:
  std::string kernel_text(const RawStep& step) const {
    const auto* launch = std::get_if<RawLaunch>(&step);
    if (launch == nullptr || launch->fields.kernel >= input_.cubin.kernels.size()) return "";
    return fmt::format(" ({})",
                       readable_kernel_name(input_.cubin.kernels[launch->fields.kernel].name));
  }

  template <typename T>
  static Checked<void> same(const char* what, const Triple<T>& values) {
    if (!(values.first == values.again)) return refuse(fmt::format("{} {}", what, kUnsteady));
    if (!(values.first == values.moved)) return refuse(fmt::format("{} {}", what, kByAddress));
    return {};
  }

  Checked<void> take_workspace(const Triple<const CallRecording*>& calls) {
    const auto bytes = calls.map([](const CallRecording& c) { return c.workspace_bytes; });
    if (auto equal = same("what forge_workspace answers", bytes); !equal) return equal;
    if (bytes.first > 0) {
      variant_.buffers.push_back(
          {PlanBufferKind::kWorkspace, std::string(kPlanWorkspace), bytes.first});
    }
    return {};
  }

  // Where an address of the given call lies: in a buffer, a symbol or just behind one.
  std::optional<PlanAddress> locate(std::uint64_t address, const CallPlacement& placement) const {
    const auto inside = [&](std::uint64_t base, std::uint64_t bytes) {
      return address >= base && address - base <= bytes;
    };
    for (std::uint32_t i = 0; i < variant_.buffers.size(); ++i) {
      const PlanBuffer& buffer = variant_.buffers[i];
      const std::uint64_t base =
          buffer.kind == PlanBufferKind::kWorkspace ? placement.workspace : placement.buffers[i];
      if (inside(base, buffer.bytes)) return PlanAddress{PlanSpace::kBuffer, i, address - base};
    }
    for (std::uint32_t i = 0; i < placement.symbols.size(); ++i) {
      const std::uint64_t base = placement.symbols[i];
      if (inside(base, input_.cubin.symbols[i].bytes)) {
        return PlanAddress{PlanSpace::kSymbol, i, address - base};
      }
    }
    return std::nullopt;
  }

  // The buffer that an address beside all of them is nearest to, in words.
  std::string nearest(std::uint64_t address, const CallPlacement& placement) const {
    std::string words = "no buffer";
    std::uint64_t best = UINT64_MAX;
    for (std::size_t i = 0; i < variant_.buffers.size(); ++i) {
      const PlanBuffer& buffer = variant_.buffers[i];
      const std::uint64_t base =
          buffer.kind == PlanBufferKind::kWorkspace ? placement.workspace : placement.buffers[i];
      const std::uint64_t end = base + buffer.bytes;
      const std::uint64_t distance = address < base ? base - address : address - end;
      if (distance >= best) continue;
      best = distance;
      words = address < base ? fmt::format("{} bytes before {}", distance, buffer.name)
                             : fmt::format("{} bytes behind the end of {}", distance, buffer.name);
    }
    return words;
  }

  Checked<PlanAddress> take_address(const char* what,
                                    const Triple<std::uint64_t>& addresses) const {
    if (addresses.first != addresses.again) return refuse(fmt::format("{} {}", what, kUnsteady));
    const auto at_first = locate(addresses.first, *placements_.first);
    const auto at_moved = locate(addresses.moved, *placements_.moved);
    if (at_first && at_moved && *at_first == *at_moved) return *at_first;
    if (!at_first && recorder::is_device(addresses.first)) {
      return refuse(
          fmt::format("{} points {}", what, nearest(addresses.first, *placements_.first)));
    }
    if (addresses.first == addresses.moved) {
      return refuse(fmt::format("{} is no device memory that it was given", what));
    }
    return refuse(fmt::format("{} {}", what, kByAddress));
  }

  Checked<void> take_maps(const Triple<const CallRecording*>& calls) {
    const auto maps = calls.map([](const CallRecording& c) { return &c.maps; });
    const auto counts = maps.map([](const auto& list) { return list.size(); });
    if (auto equal = same("the number of its tensor maps", counts); !equal) return equal;
    for (std::size_t i = 0; i < counts.first; ++i) {
      auto map = take_map(maps.map([&](const auto& list) { return &list[i]; }));
      if (!map) return refuse(fmt::format("tensor map {}: {}", i, map.error().reason));
      variant_.tensor_maps.push_back(std::move(*map));
    }
    return {};
  }

  Checked<PlanTensorMap> take_map(const Triple<const recorder::TensorMapRecord*>& records) const {
    const auto plain = [](recorder::TensorMapRecord record) {
      record.address = 0;
      std::array<std::byte, sizeof record> bytes;
      std::memcpy(bytes.data(), &record, sizeof record);
      return bytes;
    };
    if (auto equal = same("an argument", records.map(plain)); !equal) {
      return refuse(equal.error().reason);
    }
    auto base = take_address("its address", records.map([](const auto& r) { return r.address; }));
    if (!base) return refuse(base.error().reason);
    const recorder::TensorMapRecord& r = *records.first;
    PlanTensorMap map;
    map.kind = r.im2col != 0 ? PlanMapKind::kIm2col : PlanMapKind::kTiled;
    map.data_type = static_cast<std::uint8_t>(std::min(r.data_type, 255u));
    map.base = *base;
    map.sizes.assign(r.sizes, r.sizes + r.rank);
    map.strides.assign(r.strides, r.strides + r.rank - 1);
    map.box.assign(r.box, r.box + (r.im2col != 0 ? 2 : r.rank));
    if (r.im2col != 0) {
      map.lower.assign(r.lower, r.lower + r.rank - 2);
      map.upper.assign(r.upper, r.upper + r.rank - 2);
    }
    map.element_strides.assign(r.element_strides, r.element_strides + r.rank);
    map.interleave = static_cast<std::uint8_t>(std::min(r.interleave, 255u));
    map.swizzle = static_cast<std::uint8_t>(std::min(r.swizzle, 255u));
    map.l2_promotion = static_cast<std::uint8_t>(std::min(r.l2_promotion, 255u));
    map.fill = static_cast<std::uint8_t>(std::min(r.fill, 255u));
    return map;
  }

  Checked<PlanStep> take_step(const Triple<const RawStep*>& steps) {
    const auto kinds = steps.map([](const RawStep& step) { return step.index(); });
    if (auto equal = same("its kind", kinds); !equal) return refuse(equal.error().reason);
    return std::visit(
        [&](const auto& body) -> Checked<PlanStep> {
          using Raw = std::decay_t<decltype(body)>;
          return take(steps.map([](const RawStep& step) { return &std::get<Raw>(step); }));
        },
        *steps.first);
  }

  Checked<PlanStep> take(const Triple<const RawMemset*>& raw) {
    const auto rest = raw.map(
        [](const RawMemset& r) { return std::pair(r.fields.bytes, r.fields.value & 0xff); });
    if (auto equal = same("its size or value", rest); !equal) return refuse(equal.error().reason);
    auto target =
        take_address("its target", raw.map([](const RawMemset& r) { return r.fields.target; }));
    if (!target) return refuse(target.error().reason);
    return PlanMemset{*target, static_cast<std::uint8_t>(rest.first.second), rest.first.first};
  }

  Checked<PlanStep> take(const Triple<const RawCopy*>& raw) {
    const auto bytes = raw.map([](const RawCopy& r) { return r.fields.bytes; });
    if (auto equal = same("its size", bytes); !equal) return refuse(equal.error().reason);
    auto target =
        take_address("its target", raw.map([](const RawCopy& r) { return r.fields.target; }));
    if (!target) return refuse(target.error().reason);
    auto source =
        take_address("its source", raw.map([](const RawCopy& r) { return r.fields.source; }));
    if (!source) return refuse(source.error().reason);
    return PlanCopy{*target, *source, bytes.first};
  }

  Checked<PlanStep> take(const Triple<const RawWrite*>& raw) {
    auto target =
        take_address("its target", raw.map([](const RawWrite& r) { return r.fields.target; }));
    if (!target) return refuse(target.error().reason);
    auto data = take_blob(raw.map([](const RawWrite& r) { return r.data; }));
    if (!data) return refuse(data.error().reason);
    return PlanWrite{*target, std::move(*data)};
  }

  // All of a launch but its parameters, as bytes.
  static std::array<std::byte, sizeof(recorder::LaunchRecord)> frame(const RawLaunch& raw) {
    std::array<std::byte, sizeof(recorder::LaunchRecord)> bytes;
    std::memcpy(bytes.data(), &raw.fields, sizeof raw.fields);
    return bytes;
  }

  Checked<PlanStep> take(const Triple<const RawLaunch*>& raw) {
    if (auto equal = same("its kernel, grid, block or attributes", raw.map(frame)); !equal) {
      return refuse(equal.error().reason);
    }
    const recorder::LaunchRecord& f = raw.first->fields;
    if (f.kernel >= input_.cubin.kernels.size() || f.cluster_policy > 2 || f.carveout < -1) {
      return refuse("its kernel or its attributes do not exist");
    }
    auto parameters = take_blob(raw.map([](const RawLaunch& r) { return r.parameters; }));
    if (!parameters) return refuse(parameters.error().reason);
    PlanLaunch launch;
    launch.kernel = f.kernel;
    launch.grid = {f.grid[0], f.grid[1], f.grid[2]};
    launch.block = {f.block[0], f.block[1], f.block[2]};
    launch.cluster = {f.cluster[0], f.cluster[1], f.cluster[2]};
    launch.dynamic_shared = f.dynamic_shared;
    if ((f.flags & recorder::kCooperativeFlag) != 0) launch.residency = PlanResidency::kCooperative;
    if ((f.flags & recorder::kProgrammaticFlag) != 0) launch.order = PlanOrder::kProgrammatic;
    launch.carveout = f.carveout;
    launch.cluster_policy = static_cast<PlanClusterPolicy>(f.cluster_policy);
    launch.parameters = std::move(*parameters);
    return launch;
  }

  // Parameters or data: finds tensor maps and pointers, empties what nobody has written.
  Checked<PlanBlob> take_blob(const Triple<std::string>& bytes) {
    const Triple<std::size_t> sizes{bytes.first.size(), bytes.moved.size(), bytes.again.size()};
    if (auto equal = same("its size", sizes); !equal) return refuse(equal.error().reason);
    std::string first = bytes.first;
    std::string moved = bytes.moved;
    std::string again = bytes.again;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const auto is = [&](const std::string& text, unsigned char fill) {
        return static_cast<unsigned char>(text[i]) == fill;
      };
      // Padding of structures, mostly: it holds what the stack held.
      if (is(first, placements_.first->fill) && is(moved, placements_.moved->fill) &&
          is(again, placements_.again->fill)) {
        first[i] = moved[i] = again[i] = '\0';
      }
    }
    if (first != again) {
      const auto differ = std::mismatch(first.begin(), first.end(), again.begin()).first;
      return refuse(fmt::format("byte {} of its parameters {}", differ - first.begin(), kUnsteady));
    }
    PlanBlob blob;
    blob.bytes = first;
    if (auto failed = find_maps(first, moved, blob); !failed) return refuse(failed.error().reason);
    if (auto failed = find_pointers(first, moved, blob); !failed)
      return refuse(failed.error().reason);
    return blob;
  }

  // Marks are taken out of all copies, so that they are no pointers.
  Checked<void> find_maps(std::string& first, std::string& moved, PlanBlob& blob) const {
    const std::uint64_t nonce = input_.setup.nonce;
    for (std::size_t at = 0; at + kTensorMapBytes <= first.size(); at += kPointerBytes) {
      if (word_at(first, at) != nonce) continue;
      recorder::TensorMapMark mark;
      std::memcpy(&mark, first.data() + at, sizeof mark);
      const bool same_mark = std::memcmp(moved.data() + at, &mark, sizeof mark) == 0;
      bool whole = mark.number < variant_.tensor_maps.size() && same_mark;
      for (int i = 0; i < 14; i += 2) {
        whole = whole && mark.repeated[i] == nonce && mark.repeated[i + 1] == mark.number;
      }
      if (!whole) continue;
      blob.maps.push_back(
          {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(mark.number)});
      for (std::string* text : {&first, &moved, &blob.bytes}) {
        std::fill_n(text->begin() + static_cast<std::ptrdiff_t>(at), kTensorMapBytes, '\0');
      }
    }
    const std::string_view pattern(reinterpret_cast<const char*>(&nonce), sizeof nonce);
    if (first.find(pattern) == std::string::npos) return {};
    return refuse("a part of a tensor map is among its parameters");
  }

  Checked<void> find_pointers(const std::string& first, const std::string& moved,
                              PlanBlob& blob) const {
    std::size_t at = 0;
    for (; at + kPointerBytes <= first.size(); at += kPointerBytes) {
      const std::uint64_t word = word_at(first, at);
      const std::uint64_t moved_word = word_at(moved, at);
      if (word == moved_word) continue;
      const std::string what = fmt::format("the pointer at byte {} of its parameters", at);
      auto address = take_address(what.c_str(), {word, moved_word, word});
      if (!address) return refuse(address.error().reason);
      blob.relocations.push_back({static_cast<std::uint32_t>(at), *address});
      std::fill_n(blob.bytes.begin() + static_cast<std::ptrdiff_t>(at), kPointerBytes, '\0');
    }
    if (std::equal(first.begin() + static_cast<std::ptrdiff_t>(at), first.end(),
                   moved.begin() + static_cast<std::ptrdiff_t>(at))) {
      return {};
    }
    return refuse(fmt::format("byte {} and what follows of its parameters {}", at, kByAddress));
  }

  const AssembleInput& input_;
  const Triple<const CallPlacement*> placements_;
  PlanVariant variant_;
};

}  // namespace

std::variant<PlanVariant, PlanRefused, LaunchReturned> assemble_variant(
    const AssembleInput& input, std::size_t variant, std::vector<PlanBuffer> buffers) {
  const VariantCalls& calls = input.setup.variants[variant];
  const Triple<const CallRecording*> recordings{&input.recording.calls[calls.first],
                                                &input.recording.calls[calls.moved],
                                                &input.recording.calls[calls.again]};
  for (const CallRecording* call : {recordings.first, recordings.moved, recordings.again}) {
    FORGE_CHECK(call->result.has_value());
    if (*call->result != 0) return LaunchReturned{*call->result};
  }
  auto assembled = Assembler(input, calls, std::move(buffers)).assemble(recordings);
  if (!assembled) return PlanRefused{std::move(assembled.error().reason)};
  return std::move(*assembled);
}

}  // namespace forge
