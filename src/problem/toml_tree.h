// A TOML document as a plain tree with line numbers, so that only toml_tree.cc pays for toml++.
// May know: base. Does no I/O.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"

namespace forge {

struct TomlMember;
struct TomlValue;
using TomlArray = std::vector<TomlValue>;
// In the order of the document.
using TomlTable = std::vector<TomlMember>;
// A date or time: legal TOML that none of our formats uses.
struct TomlDate {};

struct TomlValue {
  int line = 0;
  std::variant<bool, std::int64_t, double, std::string, TomlArray, TomlTable, TomlDate> data;
};

struct TomlMember {
  std::string key;
  int line = 0;  // of the key
  TomlValue value;
};

// Syntax errors and duplicate keys name `file` and the line: "cannot read task.toml:3: …".
Result<TomlTable> parse_toml(std::string_view text, const std::string& file);

}  // namespace forge
