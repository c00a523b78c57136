#include "problem/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace forge {

std::string suggest(std::string_view name, const std::vector<std::string>& known) {
  if (const auto nearest = nearest_name(name, known)) {
    return fmt::format("did you mean '{}'?", *nearest);
  }
  if (known.empty()) return "";
  return fmt::format("known: {}", join(known, ", "));
}

TomlReader::TomlReader(const TomlTable& table, int line, std::string file, std::string where)
    : table_(&table), line_(line), file_(std::move(file)), where_(std::move(where)) {}

const TomlValue* TomlReader::find(std::string_view key) const {
  for (const TomlMember& member : *table_) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

std::vector<std::string> TomlReader::keys() const {
  std::vector<std::string> out;
  for (const TomlMember& member : *table_) out.push_back(member.key);
  return out;
}

int TomlReader::line_of(std::string_view key) const {
  for (const TomlMember& member : *table_) {
    if (member.key == key) return member.line;
  }
  return line_;
}

std::string TomlReader::describe(std::string_view key) const {
  return where_.empty() ? fmt::format("'{}'", key) : fmt::format("'{}' in {}", key, where_);
}

Error TomlReader::error(int line, std::string cause, std::string remedy) const {
  return Error{ErrorKind::kInvalidInput, "cannot read", fmt::format("{}:{}", file_, line),
               std::move(cause), std::move(remedy)};
}

Error TomlReader::wrong_type(std::string_view key, std::string_view expected) const {
  return error(line_of(key), fmt::format("{} must be {}", describe(key), expected));
}

Status TomlReader::only_keys(std::initializer_list<std::string_view> known) const {
  for (const TomlMember& member : *table_) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    return error(member.line,
                 fmt::format("unknown key '{}' {}", member.key,
                             where_.empty() ? "at the top level" : "in " + where_),
                 suggest(member.key, names));
  }
  return {};
}

Result<Located<std::string>> TomlReader::string(std::string_view key) const {
  const TomlValue* value = find(key);
  if (value == nullptr) {
    return error(line_, fmt::format("missing key '{}' {}", key,
                                    where_.empty() ? "at the top level" : "in " + where_));
  }
  const auto* text = std::get_if<std::string>(&value->data);
  if (text == nullptr) return wrong_type(key, "a string");
  return Located<std::string>{*text, value->line};
}

Result<std::string> TomlReader::string_or(std::string_view key, std::string fallback) const {
  if (!has(key)) return fallback;
  FORGE_TRY(auto text, string(key));
  return std::move(text.value);
}

Result<bool> TomlReader::boolean_or(std::string_view key, bool fallback) const {
  const TomlValue* value = find(key);
  if (value == nullptr) return fallback;
  const auto* boolean = std::get_if<bool>(&value->data);
  if (boolean == nullptr) return wrong_type(key, "true or false");
  return *boolean;
}

Result<std::int64_t> TomlReader::integer_or(std::string_view key, std::int64_t fallback) const {
  const TomlValue* value = find(key);
  if (value == nullptr) return fallback;
  const auto* integer = std::get_if<std::int64_t>(&value->data);
  if (integer == nullptr) return wrong_type(key, "an integer");
  return *integer;
}

Result<double> TomlReader::number_or(std::string_view key, double fallback) const {
  const TomlValue* value = find(key);
  if (value == nullptr) return fallback;
  if (const auto* integer = std::get_if<std::int64_t>(&value->data)) {
    return static_cast<double>(*integer);
  }
  const auto* number = std::get_if<double>(&value->data);
  if (number == nullptr || !std::isfinite(*number)) return wrong_type(key, "a finite number");
  return *number;
}

Result<std::vector<Located<std::string>>> TomlReader::strings(std::string_view key) const {
  std::vector<Located<std::string>> out;
  const TomlValue* value = find(key);
  if (value == nullptr) return out;
  const auto* array = std::get_if<TomlArray>(&value->data);
  if (array == nullptr) return wrong_type(key, "an array of strings");
  for (const TomlValue& element : *array) {
    const auto* text = std::get_if<std::string>(&element.data);
    if (text == nullptr) return wrong_type(key, "an array of strings");
    out.push_back({*text, element.line});
  }
  return out;
}

Result<std::optional<TomlReader>> TomlReader::table(std::string_view key) const {
  const TomlValue* value = find(key);
  if (value == nullptr) return std::optional<TomlReader>();
  const auto* table = std::get_if<TomlTable>(&value->data);
  if (table == nullptr) return wrong_type(key, "a table");
  const std::string name = where_.empty()
                               ? fmt::format("[{}]", key)
                               : fmt::format("[{}.{}]", where_.substr(1, where_.size() - 2), key);
  return std::optional<TomlReader>(TomlReader(*table, line_of(key), file_, name));
}

Result<std::vector<TomlReader>> TomlReader::tables(std::string_view key) const {
  std::vector<TomlReader> out;
  const TomlValue* value = find(key);
  if (value == nullptr) return out;
  const auto* array = std::get_if<TomlArray>(&value->data);
  if (array == nullptr) return wrong_type(key, "an array of tables");
  for (const TomlValue& element : *array) {
    const auto* table = std::get_if<TomlTable>(&element.data);
    if (table == nullptr) return wrong_type(key, "an array of tables");
    out.emplace_back(
        *table, element.line, file_,
        fmt::format("{}[{}] of {}", key, out.size(), where_.empty() ? "the top level" : where_));
  }
  return out;
}

}  // namespace forge
