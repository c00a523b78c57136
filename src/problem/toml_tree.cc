#include "problem/toml_tree.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace forge {
namespace {

int line_of(const toml::source_region& region) { return static_cast<int>(region.begin.line); }

TomlValue convert(const toml::node& node);

TomlTable convert_table(const toml::table& table) {
  // toml++ sorts by key; reports and generated files follow the user's order.
  std::vector<std::pair<toml::source_position, TomlMember>> members;
  for (const auto& [key, node] : table) {
    members.emplace_back(key.source().begin,
                         TomlMember{std::string(key.str()), line_of(key.source()), convert(node)});
  }
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  TomlTable out;
  for (auto& member : members) out.push_back(std::move(member.second));
  return out;
}

TomlArray convert_array(const toml::array& array) {
  TomlArray out;
  for (const toml::node& node : array) out.push_back(convert(node));
  return out;
}

TomlValue convert(const toml::node& node) {
  TomlValue value;
  value.line = line_of(node.source());
  if (const auto* table = node.as_table()) {
    value.data = convert_table(*table);
  } else if (const auto* array = node.as_array()) {
    value.data = convert_array(*array);
  } else if (const auto* text = node.as_string()) {
    value.data = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.data = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.data = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.data = boolean->get();
  } else {
    value.data = TomlDate{};
  }
  return value;
}

// A forged document must not exhaust the stack of whoever destroys or walks the tree; toml++ itself
// allows 256 levels.
constexpr int kMaxDepth = 16;

std::optional<int> line_of_too_deep(const toml::node& node, int depth) {
  if (depth > kMaxDepth) return line_of(node.source());
  std::optional<int> found;
  if (const auto* table = node.as_table()) {
    for (const auto& [key, child] : *table) {
      if (!found) found = line_of_too_deep(child, depth + 1);
    }
  } else if (const auto* array = node.as_array()) {
    for (const toml::node& child : *array) {
      if (!found) found = line_of_too_deep(child, depth + 1);
    }
  }
  return found;
}

Error syntax_error(const std::string& file, int line, std::string cause) {
  return Error{ErrorKind::kInvalidInput, "cannot read", fmt::format("{}:{}", file, line),
               std::move(cause), ""};
}

}  // namespace

Result<TomlTable> parse_toml(std::string_view text, const std::string& file) {
  // toml++ reports NUL bytes as the end of the text, which would hide what follows them.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(nul), '\n');
    return syntax_error(file, static_cast<int>(line), "a NUL byte is not allowed in TOML");
  }
  const toml::parse_result result = toml::parse(text);
  if (!result) {
    return syntax_error(file, line_of(result.error().source()),
                        std::string(result.error().description()));
  }
  if (const auto line = line_of_too_deep(result.table(), 0)) {
    return syntax_error(file, *line, fmt::format("nested deeper than {} levels", kMaxDepth));
  }
  return convert_table(result.table());
}

}  // namespace forge
