// What the builtin agent knows of a kernel's values: what sweeps advise, and what came of it, as
// pure decisions on a turn's brief. May know: base. Format of the brief: docs/formats/turn.md.
#pragma once

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
  std::string current;    // in the operator tree
  std::string advised;    // by the last sweep; empty: it says nothing
  double price = 1;       // time with its worst value over the time with the advised one
  std::size_t begin = 0;  // byte range of `current` in the kernel
  std::size_t end = 0;
};

struct SearchSpace {
  std::vector<SearchTunable> tunables;
  std::vector<std::map<std::string, std::string>> tried;  // settings of judged rounds

  const SearchTunable* find(std::string_view name) const;
};

Result<SearchSpace> read_search_space(const Json& brief);

// Values by tunable.
using Changes = std::map<std::string, std::string>;

// What is left of the advice for one tunable, and for all of them; empty: nothing, or it was tried
// beside the values that the kernel has now.
Changes advised_change(const SearchSpace& space, const SearchTunable& tunable);
Changes advised_changes(const SearchSpace& space);

// The kernel with these values; an error if the source is not the one that the brief describes.
Result<std::string> edited_kernel(std::string source, const SearchSpace& space,
                                  const Changes& changes);

// "kVec: 4 -> 8, kUnroll: 1 -> 2"
std::string changes_text(const SearchSpace& space, const Changes& changes);

}  // namespace forge
