// Checked access to one table of a TOML document: every error names file, line, key and remedy.
// May know: base, toml_tree.h. Does no I/O.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "problem/toml_tree.h"

namespace forge {

// A value and the line it stands on.
template <typename T>
struct Located {
  T value{};
  int line = 0;
};

class TomlReader {
 public:
  // `table` must outlive the reader. `where` names the table in messages: "[signature]",
  // "[tolerance.y]", "inputs[0] of [signature]"; empty for the top level.
  TomlReader(const TomlTable& table, int line, std::string file, std::string where);

  Status only_keys(std::initializer_list<std::string_view> known) const;

  const TomlValue* find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key) != nullptr; }
  std::vector<std::string> keys() const;
  const std::string& file() const { return file_; }
  int line() const { return line_; }
  // Of the key, or of the table where the key is missing.
  int line_of(std::string_view key) const;
  const std::string& where() const { return where_; }
  // "'shape' in inputs[0] of [signature]"; for the top level "'name'".
  std::string describe(std::string_view key) const;

  // Without a default the key is required.
  Result<Located<std::string>> string(std::string_view key) const;
  Result<std::string> string_or(std::string_view key, std::string fallback) const;
  Result<bool> boolean_or(std::string_view key, bool fallback) const;
  Result<std::int64_t> integer_or(std::string_view key, std::int64_t fallback) const;
  // Accepts integers too. Infinities and NaN are errors.
  Result<double> number_or(std::string_view key, double fallback) const;
  // An array of strings; empty where the key is missing.
  Result<std::vector<Located<std::string>>> strings(std::string_view key) const;
  // A table; nullopt where the key is missing.
  Result<std::optional<TomlReader>> table(std::string_view key) const;
  // An array of tables; empty where the key is missing.
  Result<std::vector<TomlReader>> tables(std::string_view key) const;

  Error error(int line, std::string cause, std::string remedy = "") const;
  Error wrong_type(std::string_view key, std::string_view expected) const;

 private:
  const TomlTable* table_;
  int line_;
  std::string file_;
  std::string where_;
};

// "did you mean 'scalars'?", or the whole list where nothing is near.
std::string suggest(std::string_view name, const std::vector<std::string>& known);

}  // namespace forge
