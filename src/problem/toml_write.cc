#include "problem/toml_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/toml_quote.h"

namespace forge {
namespace {

bool is_bare(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::string key_text(const std::string& key) { return is_bare(key) ? key : toml_quote(key); }

// TOML wants a digit on both sides of a point, and a point or an exponent to tell it from an
// integer.
std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string inline_text(const TomlValue& value);

struct InlineText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return number_text(value); }
  std::string operator()(const std::string& value) const { return toml_quote(value); }
  std::string operator()(const TomlArray& value) const {
    std::vector<std::string> parts;
    for (const TomlValue& element : value) parts.push_back(inline_text(element));
    return "[" + join(parts, ", ") + "]";
  }
  std::string operator()(const TomlTable& value) const {
    std::vector<std::string> parts;
    for (const TomlMember& member : value) {
      parts.push_back(key_text(member.key) + " = " + inline_text(member.value));
    }
    return parts.empty() ? "{}" : "{ " + join(parts, ", ") + " }";
  }
  std::string operator()(const TomlDate&) const {
    FORGE_CHECK(false);
    return {};
  }
};

std::string inline_text(const TomlValue& value) { return std::visit(InlineText{}, value.data); }

// Members that are no tables must come first: behind a header they would belong to its table.
void write_table(const TomlTable& table, const std::string& path, std::string& out) {
  for (const TomlMember& member : table) {
    if (std::holds_alternative<TomlTable>(member.value.data)) continue;
    out += key_text(member.key) + " = " + inline_text(member.value) + "\n";
  }
  for (const TomlMember& member : table) {
    const auto* inner = std::get_if<TomlTable>(&member.value.data);
    if (inner == nullptr) continue;
    const std::string name =
        path.empty() ? key_text(member.key) : path + "." + key_text(member.key);
    out += "\n[" + name + "]\n";
    write_table(*inner, name, out);
  }
}

}  // namespace

std::string write_toml(const TomlTable& table) {
  std::string out;
  write_table(table, "", out);
  return out;
}

}  // namespace forge
