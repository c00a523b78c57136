// Inputs that nobody drew: a case's own, pushed to where kernels break that were only seen on
// ordinary numbers. Pure. May know: base, problem/instance.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "problem/instance.h"

namespace forge {

enum class Stress {
  kNone,
  kScaledUp,
  kScaledDown,
  kSpikes,             // one element a row beyond all others
  kZeroBlocks,         // every other block of a row is zero
  kIdenticalRows,      // all rows are the first
  kIntegerBoundaries,  // the ends of the legal range, in turns
  kNan,                // one
  kInfinities,         // one of each sign
};
inline constexpr Stress kStresses[] = {
    Stress::kNone,       Stress::kScaledUp,      Stress::kScaledDown,        Stress::kSpikes,
    Stress::kZeroBlocks, Stress::kIdenticalRows, Stress::kIntegerBoundaries, Stress::kNan,
    Stress::kInfinities};

// "scaled_up", as in results.
std::string_view stress_name(Stress stress);
std::optional<Stress> parse_stress(std::string_view name);
// "scaled up", as in "inputs scaled up".
std::string_view describe(Stress stress);

// An input or in-out as it lies in a case's file: in its own strides, span_bytes() long.
struct StressedTensor {
  const ConcreteTensor* tensor = nullptr;
  std::vector<std::byte> bytes;
};

// False if nothing came of it: there is no tensor of the kind, or all was like that before.
// Integers whose meaning ties them to each other (offsets, block tables, lengths) stay as they are.
bool apply_stress(Stress stress, std::span<StressedTensor> tensors, Random& random);

}  // namespace forge
