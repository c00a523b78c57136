#include "problem/parse_lists.h"

#include <fmt/format.h>

#include <algorithm>

namespace forge {

std::vector<std::string> values_of(const std::vector<Located<std::string>>& located) {
  std::vector<std::string> out;
  for (const auto& item : located) out.push_back(item.value);
  return out;
}

Result<std::vector<std::string>> parse_paths(const TomlReader& reader, std::string_view key,
                                             const TaskPaths& paths, PathKind kind) {
  FORGE_TRY(const auto items, reader.strings(key));
  std::vector<std::string> out;
  for (const auto& item : items) {
    FORGE_TRY_STATUS(paths.check(reader, key, item, kind));
    if (std::find(out.begin(), out.end(), item.value) != out.end()) {
      return reader.error(item.line,
                          fmt::format("'{}' stands twice in {}", item.value, reader.describe(key)));
    }
    out.push_back(item.value);
  }
  return out;
}

Result<std::vector<std::string>> parse_non_empty(const TomlReader& reader, std::string_view key) {
  FORGE_TRY(const auto items, reader.strings(key));
  for (const auto& item : items) {
    if (item.value.empty()) {
      return reader.error(item.line, fmt::format("{} holds an empty string", reader.describe(key)));
    }
  }
  return values_of(items);
}

}  // namespace forge
