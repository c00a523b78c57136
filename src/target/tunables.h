// The tunables that a kernel source declares. Pure. May know: base.
//
//   FORGE_TUNABLE(int, kVec, 8, 1, 2, 4, 8, 16)     how the same structure is sized
//   FORGE_STRUCTURE(bool, kTwoPass, true, false, true)  which structure the kernel has
//   FORGE_SHAPES(dims.cols >= 8192)                 classes of calls, by their dims
//   FORGE_TUNABLE_BY_SHAPE(int, kUnroll, (4, 1), 1, 2, 4)  a value for each class
//   FORGE_REQUIRE(kVec * kUnroll<kShape> <= 64)     which combinations make a kernel
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace forge {

enum class TunableKind { kTuning, kStructure };

// One value to choose: a tunable, or a tunable's value for one class of shapes.
struct Tunable {
  TunableKind kind = TunableKind::kTuning;
  std::string type;
  std::string name;  // "kVec"; by shape: "kVec[0]", "kVec[1]", …
  std::string default_value;
  std::vector<std::string> values;  // always holds the default
  int line = 0;
  std::size_t default_begin = 0;  // byte range of the default in the source
  std::size_t default_end = 0;
  int shape_class = -1;  // -1: of all shapes
};

// Everything that a kernel says about its choices.
struct KernelChoices {
  std::vector<Tunable> tunables;
  std::vector<std::string>
      requirements;  // of those by shape one for each class, with names as above
  std::vector<std::string> shape_conditions;  // none: one class
};

// One number (with an optional sign) or one name (qualified or not): what may be a tunable's value.
bool is_tunable_value(std::string_view text);
// The same, or a list of them as a tunable by shape has: "(8, 4)".
bool is_tunable_setting(std::string_view text);

// Skips comments, string literals and preprocessor definitions. Duplicate names, a default outside
// the values and a malformed declaration are errors that name file and line.
Result<KernelChoices> scan_choices(std::string_view source, std::string_view file);
// Its tunables alone.
Result<std::vector<Tunable>> scan_tunables(std::string_view source, std::string_view file);

// The source with the default of `name` replaced. Requires that it was scanned from `source`.
std::string with_default(std::string_view source, const Tunable& tunable, std::string_view value);

// The source with the default of each tunable that `settings` name replaced.
std::string with_defaults(std::string_view source, const std::vector<Tunable>& tunables,
                          const std::map<std::string, std::string>& settings);

// The same for all kernels that differ in nothing but the defaults of their tunables.
std::string without_defaults(std::string_view source, const std::vector<Tunable>& tunables);

// As the injected header has them: "kVec[0]": "8" and "kVec[1]": "4" become "kVec": "(8, 4)".
std::map<std::string, std::string> header_settings(
    const std::map<std::string, std::string>& settings);

}  // namespace forge
