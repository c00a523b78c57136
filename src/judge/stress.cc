#include "judge/stress.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "base/error.h"

namespace forge {
namespace {

struct Words {
  Stress stress;
  std::string_view name;
  std::string_view description;
};
constexpr Words kWords[] = {
    {Stress::kNone, "none", "drawn on new seeds"},
    {Stress::kScaledUp, "scaled_up", "scaled up"},
    {Stress::kScaledDown, "scaled_down", "scaled down"},
    {Stress::kSpikes, "spikes", "with one huge element a row"},
    {Stress::kZeroBlocks, "zero_blocks", "with blocks of zeros"},
    {Stress::kIdenticalRows, "identical_rows", "with identical rows"},
    {Stress::kIntegerBoundaries, "integer_boundaries", "with integers at the ends of their range"},
    {Stress::kNan, "nan", "with one NaN"},
    {Stress::kInfinities, "infinities", "with infinities of both signs"},
};

constexpr std::int64_t kBlock = 16;  // elements

const Words& words_of(Stress stress) {
  const auto* found = std::find_if(std::begin(kWords), std::end(kWords),
                                   [&](const Words& each) { return each.stress == stress; });
  FORGE_CHECK(found != std::end(kWords));
  return *found;
}

// A type's largest finite number, and by how much ordinary numbers can be scaled inside it.
struct Room {
  double largest;
  double factor;
  double spike;
};
Room room_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF16:
      return {65504, 32, 512};
    case Dtype::kF8E4m3:
      return {448, 4, 16};
    case Dtype::kF8E5m2:
      return {57344, 4, 64};
    case Dtype::kBf16:
      return {0x1.fep127, 1024, 1e4};
    case Dtype::kF32:
      return {std::numeric_limits<float>::max(), 1024, 1e4};
    default:
      return {std::numeric_limits<double>::max(), 1024, 1e4};
  }
}

// One tensor's elements by their place in the logical order.
class Elements {
 public:
  explicit Elements(StressedTensor& stressed) : stressed_(stressed) {}

  const TensorLayout& layout() const { return stressed_.tensor->layout; }
  std::int64_t count() const { return stressed_.bytes.empty() ? 0 : layout().elements(); }
  std::int64_t row() const { return layout().shape.size() < 2 ? count() : layout().shape.back(); }
  Dtype dtype() const { return layout().dtype; }

  double get(std::int64_t i) const { return decode_element(dtype(), at(i)); }
  void set(std::int64_t i, double value) { encode_element(dtype(), value, at(i)); }
  void set_inside(std::int64_t i, double value) {
    const double largest = room_of(dtype()).largest;
    set(i, std::clamp(value, -largest, largest));
  }
  void copy(std::int64_t from, std::int64_t to) {
    std::memcpy(at(to), at(from), dtype_bytes(dtype()));
  }

 private:
  std::byte* at(std::int64_t i) const {
    return stressed_.bytes.data() +
           static_cast<std::size_t>(layout().offset_of(i)) * dtype_bytes(dtype());
  }
  StressedTensor& stressed_;
};

void scale(Elements& elements, double factor) {
  for (std::int64_t i = 0; i < elements.count(); ++i) {
    elements.set_inside(i, elements.get(i) * factor);
  }
}

void add_spikes(Elements& elements, Random& random) {
  const std::int64_t row = elements.row();
  for (std::int64_t first = 0; row > 0 && first < elements.count(); first += row) {
    const auto i = first + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(row)));
    const double value = elements.get(i);
    elements.set_inside(
        i, (value < 0 ? -1 : 1) * room_of(elements.dtype()).spike * std::max(std::abs(value), 1.0));
  }
}

void add_zero_blocks(Elements& elements) {
  for (std::int64_t i = 0; i < elements.count(); ++i) {
    if (i / kBlock % 2 == 1) elements.set(i, 0);
  }
}

void repeat_first_row(Elements& elements) {
  const std::int64_t row = elements.row();
  for (std::int64_t i = row; i < elements.count(); ++i) elements.copy(i % row, i);
}

void place_infinities(Elements& elements, Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto count = static_cast<std::uint64_t>(elements.count());
  const std::uint64_t first = random.below(count);
  elements.set(static_cast<std::int64_t>(first), kInfinity);
  if (count < 2) return;
  const std::uint64_t second = (first + 1 + random.below(count - 1)) % count;
  elements.set(static_cast<std::int64_t>(second), -kInfinity);
}

void set_integers_to_ends(Elements& elements, const ConcreteTensor& tensor) {
  for (std::int64_t i = 0; i < elements.count(); ++i) {
    const std::int64_t value = i % 2 == 0 ? tensor.range_high : tensor.range_low;
    elements.set(i, static_cast<double>(value));
  }
}

bool is_free(const ConcreteTensor& tensor) {
  constexpr std::int64_t kMostExact = std::int64_t{1} << 53;  // that an f64 holds
  return tensor.param->range && tensor.range_low >= -kMostExact &&
         tensor.range_high <= kMostExact &&
         (tensor.param->meaning == IntegerMeaning::kValues ||
          tensor.param->meaning == IntegerMeaning::kIndices);
}

void stress_floats(Stress stress, Elements& elements, Random& random) {
  const double factor = room_of(elements.dtype()).factor;
  switch (stress) {
    case Stress::kScaledUp:
      return scale(elements, factor);
    case Stress::kScaledDown:
      return scale(elements, 1 / factor);
    case Stress::kSpikes:
      return add_spikes(elements, random);
    case Stress::kZeroBlocks:
      return add_zero_blocks(elements);
    case Stress::kIdenticalRows:
      return repeat_first_row(elements);
    default:
      return;
  }
}

// The tensor with the most elements: what a stray value is dropped into. nullptr: there is no
// float.
StressedTensor* largest_float(std::span<StressedTensor> tensors) {
  StressedTensor* largest = nullptr;
  for (StressedTensor& each : tensors) {
    const TensorLayout& layout = each.tensor->layout;
    if (!is_float(layout.dtype) || each.bytes.empty()) continue;
    if (largest == nullptr || layout.elements() > largest->tensor->layout.elements()) {
      largest = &each;
    }
  }
  return largest;
}

void drop_in(Stress stress, StressedTensor& stressed, Random& random) {
  Elements elements(stressed);
  // f8_e4m3 has no infinity: what overflows is NaN there.
  if (stress == Stress::kInfinities && elements.dtype() == Dtype::kF8E4m3) return;
  if (stress == Stress::kInfinities) return place_infinities(elements, random);
  const auto count = static_cast<std::uint64_t>(elements.count());
  elements.set(static_cast<std::int64_t>(random.below(count)),
               std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

std::string_view stress_name(Stress stress) { return words_of(stress).name; }

std::string_view describe(Stress stress) { return words_of(stress).description; }

std::optional<Stress> parse_stress(std::string_view name) {
  for (const Words& each : kWords) {
    if (each.name == name) return each.stress;
  }
  return std::nullopt;
}

bool apply_stress(Stress stress, std::span<StressedTensor> tensors, Random& random) {
  std::vector<std::vector<std::byte>> before;
  for (const StressedTensor& each : tensors) before.push_back(each.bytes);
  if (stress == Stress::kNan || stress == Stress::kInfinities) {
    if (StressedTensor* largest = largest_float(tensors)) drop_in(stress, *largest, random);
  } else {
    for (StressedTensor& each : tensors) {
      Elements elements(each);
      if (is_float(elements.dtype())) {
        stress_floats(stress, elements, random);
      } else if (stress == Stress::kIntegerBoundaries && is_free(*each.tensor)) {
        set_integers_to_ends(elements, *each.tensor);
      }
    }
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].bytes != before[i]) return true;
  }
  return stress == Stress::kNone;
}

}  // namespace forge
