#include "target/cuda/plan_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace forge {
namespace {

constexpr std::string_view kMagic("FKPLAN\0\1", 8);
constexpr std::size_t kMaxList = 1u << 20;
constexpr std::uint8_t kCooperativeBit = 1;
constexpr std::uint8_t kProgrammaticBit = 2;

// Writer and Reader offer the same operations, so that one description of each record (`transfer`)
// serves both directions.
class Writer {
 public:
  template <typename T>
    requires std::is_integral_v<T>
  void number(T value) {
    std::make_unsigned_t<T> bits = static_cast<std::make_unsigned_t<T>>(value);
    for (std::size_t i = 0; i < sizeof(T);
         ++i, bits = static_cast<decltype(bits)>(bits >> 4 >> 4)) {
      out_ += static_cast<char>(bits & 0xff);
    }
  }
  template <typename E>
  void enumerator(E value, E) {
    number(static_cast<std::uint8_t>(value));
  }
  void text(const std::string& value) {
    number(static_cast<std::uint32_t>(value.size()));
    out_ += value;
  }
  template <typename T, typename Each>
  void list(const std::vector<T>& values, Each each) {
    number(static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) each(*this, value);
  }
  void raw(std::string_view bytes) { out_ += bytes; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
    requires std::is_integral_v<T>
  void number(T& value) {
    std::make_unsigned_t<T> bits = 0;
    const std::string_view from = take(sizeof(T));
    for (std::size_t i = from.size(); i-- > 0;) {
      bits = static_cast<decltype(bits)>(bits << 4 << 4 | static_cast<unsigned char>(from[i]));
    }
    value = static_cast<T>(bits);
  }
  template <typename E>
  void enumerator(E& value, E last) {
    std::uint8_t number_read = 0;
    number(number_read);
    if (number_read > static_cast<std::uint8_t>(last)) {
      return fail(fmt::format("{} is no such kind", number_read));
    }
    value = static_cast<E>(number_read);
  }
  void text(std::string& value) {
    std::uint32_t size = 0;
    number(size);
    value = take(size);
  }
  template <typename T, typename Each>
  void list(std::vector<T>& values, Each each) {
    std::uint32_t count = 0;
    number(count);
    // Each item has a byte at least, so that a count alone can't ask for memory.
    if (count > rest_.size() || count > kMaxList) return fail("a list is longer than its bytes");
    values.clear();
    for (std::uint32_t i = 0; i < count && reason_.empty(); ++i) each(*this, values.emplace_back());
  }
  std::string_view take(std::size_t size) {
    if (!reason_.empty()) return {};
    if (size > rest_.size()) {
      fail("it ends too early");
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  void fail(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
  }
  bool at_end() const { return rest_.empty(); }
  const std::string& reason() const { return reason_; }

 private:
  std::string_view rest_;
  std::string reason_;
};

// Each calls `number`, `text`, … on the members of a T or const T, in the order of the format.
template <typename A, typename T>
void transfer_address(A& a, T& address) {
  a.enumerator(address.space, PlanSpace::kSymbol);
  a.number(address.index);
  a.number(address.offset);
}

template <typename A, typename T>
void transfer_extent(A& a, T& extent) {
  a.number(extent.x);
  a.number(extent.y);
  a.number(extent.z);
}

template <typename A, typename T>
void transfer_blob(A& a, T& blob) {
  a.text(blob.bytes);
  a.list(blob.relocations, [](A& inner, auto& relocation) {
    inner.number(relocation.position);
    transfer_address(inner, relocation.target);
  });
  a.list(blob.maps, [](A& inner, auto& use) {
    inner.number(use.position);
    inner.number(use.map);
  });
}

void transfer_flags(Writer& a, const PlanLaunch& launch) {
  const bool cooperative = launch.residency == PlanResidency::kCooperative;
  const bool programmatic = launch.order == PlanOrder::kProgrammatic;
  a.number(static_cast<std::uint8_t>((cooperative ? kCooperativeBit : 0) |
                                     (programmatic ? kProgrammaticBit : 0)));
}
void transfer_flags(Reader& a, PlanLaunch& launch) {
  std::uint8_t flags = 0;
  a.number(flags);
  if ((flags & ~(kCooperativeBit | kProgrammaticBit)) != 0) return a.fail("unknown launch flags");
  launch.residency =
      (flags & kCooperativeBit) != 0 ? PlanResidency::kCooperative : PlanResidency::kAny;
  launch.order = (flags & kProgrammaticBit) != 0 ? PlanOrder::kProgrammatic : PlanOrder::kSerial;
}

template <typename A, typename T>
void transfer_launch(A& a, T& launch) {
  a.number(launch.kernel);
  transfer_extent(a, launch.grid);
  transfer_extent(a, launch.block);
  transfer_extent(a, launch.cluster);
  a.number(launch.dynamic_shared);
  transfer_flags(a, launch);
  a.number(launch.carveout);
  a.enumerator(launch.cluster_policy, PlanClusterPolicy::kLoadBalancing);
  transfer_blob(a, launch.parameters);
}

template <typename A, typename T>
void transfer_step_body(A& a, T& step) {
  using Body = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Body, PlanLaunch>) {
    transfer_launch(a, step);
  } else if constexpr (std::is_same_v<Body, PlanMemset>) {
    transfer_address(a, step.target);
    a.number(step.value);
    a.number(step.bytes);
  } else if constexpr (std::is_same_v<Body, PlanCopy>) {
    transfer_address(a, step.target);
    transfer_address(a, step.source);
    a.number(step.bytes);
  } else {
    transfer_address(a, step.target);
    transfer_blob(a, step.data);
  }
}

enum class StepKind : std::uint8_t { kLaunch = 1, kMemset = 2, kCopy = 3, kWrite = 4 };

void transfer_step(Writer& a, const PlanStep& step) {
  a.number(static_cast<std::uint8_t>(step.index() + 1));
  std::visit([&](const auto& body) { transfer_step_body(a, body); }, step);
}
void transfer_step(Reader& a, PlanStep& step) {
  std::uint8_t kind = 0;
  a.number(kind);
  switch (static_cast<StepKind>(kind)) {
    case StepKind::kLaunch:
      return transfer_step_body(a, step.emplace<PlanLaunch>());
    case StepKind::kMemset:
      return transfer_step_body(a, step.emplace<PlanMemset>());
    case StepKind::kCopy:
      return transfer_step_body(a, step.emplace<PlanCopy>());
    case StepKind::kWrite:
      return transfer_step_body(a, step.emplace<PlanWrite>());
  }
  a.fail(fmt::format("{} is no kind of step", kind));
}

template <typename A, typename T>
void transfer_map(A& a, T& map) {
  const auto numbers = [](A& inner, auto& value) { inner.number(value); };
  a.enumerator(map.kind, PlanMapKind::kIm2col);
  a.number(map.data_type);
  transfer_address(a, map.base);
  a.list(map.sizes, numbers);
  a.list(map.strides, numbers);
  a.list(map.box, numbers);
  a.list(map.lower, numbers);
  a.list(map.upper, numbers);
  a.list(map.element_strides, numbers);
  a.number(map.interleave);
  a.number(map.swizzle);
  a.number(map.l2_promotion);
  a.number(map.fill);
}

template <typename A, typename T>
void transfer_variant(A& a, T& variant) {
  a.text(variant.shape);
  a.text(variant.group);
  a.list(variant.buffers, [](A& inner, auto& buffer) {
    inner.enumerator(buffer.kind, PlanBufferKind::kWorkspace);
    inner.text(buffer.name);
    inner.number(buffer.bytes);
  });
  a.list(variant.tensor_maps, [](A& inner, auto& map) { transfer_map(inner, map); });
  a.list(variant.steps, [](A& inner, auto& step) { transfer_step(inner, step); });
}

template <typename A, typename T>
void transfer_plan(A& a, T& plan) {
  a.text(plan.arch);
  a.text(plan.cubin.hex);
  a.list(plan.kernels, [](A& inner, auto& name) { inner.text(name); });
  a.list(plan.symbols, [](A& inner, auto& symbol) {
    inner.text(symbol.name);
    inner.enumerator(symbol.section, PlanSection::kConstant);
    inner.number(symbol.offset);
    inner.number(symbol.bytes);
    using Image = PlanSymbol::Image;
    inner.enumerator(symbol.image, Image::kFromLoader);
  });
  a.list(plan.variants, [](A& inner, auto& variant) { transfer_variant(inner, variant); });
}

}  // namespace

std::string encode_plan(const Plan& plan) {
  Writer writer;
  writer.raw(kMagic);
  transfer_plan(writer, plan);
  return writer.take();
}

Result<Plan> decode_plan(std::string_view bytes, std::string_view object) {
  const auto corrupt = [&](std::string cause) {
    return Error{ErrorKind::kCorrupt, "cannot read", std::string(object), std::move(cause),
                 "make the plan anew"};
  };
  if (bytes.size() > kMaxPlanBytes) return corrupt("it is larger than a plan may be");
  Reader reader(bytes);
  const std::string_view magic = reader.take(kMagic.size());
  if (magic.substr(0, kMagic.size() - 1) != kMagic.substr(0, kMagic.size() - 1)) {
    return corrupt("it is no launch plan");
  }
  if (magic != kMagic) {
    return corrupt(fmt::format("it has version {}, this program reads version {}",
                               static_cast<int>(magic.back()), static_cast<int>(kMagic.back())));
  }
  Plan plan;
  transfer_plan(reader, plan);
  if (!reader.reason().empty()) return corrupt(reader.reason());
  if (!reader.at_end()) return corrupt("bytes follow its last field");
  std::string reason = why_not_canonical(plan);
  if (!reason.empty()) return corrupt(std::move(reason));
  return plan;
}

}  // namespace forge
