// The tunables that a kernel source declares. Pure. May know: base.
//
//   FORGE_TUNABLE(int, kVec, 8, 1, 2, 4, 8, 16)     how the same structure is sized
//   FORGE_STRUCTURE(bool, kTwoPass, true, false, true)  which structure the kernel has
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace forge {

enum class TunableKind { kTuning, kStructure };

struct Tunable {
  TunableKind kind = TunableKind::kTuning;
  std::string type;
  std::string name;
  std::string default_value;
  std::vector<std::string> values;  // always holds the default
  int line = 0;
  std::size_t default_begin = 0;  // byte range of the default in the source
  std::size_t default_end = 0;
};

// One number (with an optional sign) or one name (qualified or not): what may be a tunable's value.
bool is_tunable_value(std::string_view text);

// Skips comments, string literals and preprocessor definitions. Duplicate names, a default outside
// the values and a malformed declaration are errors that name file and line.
Result<std::vector<Tunable>> scan_tunables(std::string_view source, std::string_view file);

// The source with the default of `name` replaced. Requires that it was scanned from `source`.
std::string with_default(std::string_view source, const Tunable& tunable, std::string_view value);

}  // namespace forge
