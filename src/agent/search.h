// The builtin agent's search: coordinate descent over a kernel's tunables, as pure decisions on a
// turn's brief. May know: base. Format of the brief: docs/formats/turn.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace forge {

// structure: which kernel it is; tuning: how the same kernel is sized.
enum class SearchKind { kStructure, kTuning };

struct SearchTunable {
  SearchKind kind = SearchKind::kTuning;
  std::string name;
  std::vector<std::string> values;
  std::string current;    // in the operator tree
  std::string best;       // in the best kernel so far
  std::size_t begin = 0;  // byte range of `current` in the kernel
  std::size_t end = 0;
};

struct SearchAttempt {
  std::map<std::string, std::string> settings;
  bool was_slower = false;  // correct, and slower than the best of its time
};

struct SearchSpace {
  std::uint64_t seed = 0;
  std::vector<SearchTunable> tunables;
  std::vector<SearchAttempt> tried;

  const SearchTunable* find(std::string_view name) const;
};

Result<SearchSpace> read_search_space(const Json& brief);

// The next value of `tunable` worth a measurement, with everything else as in the best: not tried
// yet, the nearest first; for numbers a direction is given up once a nearer value in it was slower.
std::optional<std::string> next_value(const SearchSpace& space, const SearchTunable& tunable);

// The kernel with every tunable as in the best and `tunable` set to `value`; an error if the source
// is not the one that the brief describes.
Result<std::string> edited_kernel(std::string source, const SearchSpace& space,
                                  const SearchTunable& tunable, std::string_view value);

}  // namespace forge
