#include "cli/local_env.h"

#include "base/text.h"

namespace forge {

std::map<std::string, std::string> parse_local_env(std::string_view text) {
  std::map<std::string, std::string> values;
  for (const std::string& line : split_lines(text)) {
    std::string_view rest = trim(line);
    if (rest.starts_with("export ")) rest = trim(rest.substr(7));
    const auto equals = rest.find('=');
    if (equals == std::string_view::npos || !is_identifier(rest.substr(0, equals))) continue;
    std::string_view value = trim(rest.substr(equals + 1));
    const bool is_quoted = value.size() >= 2 && value.front() == value.back() &&
                           (value.front() == '"' || value.front() == '\'');
    if (is_quoted) value = value.substr(1, value.size() - 2);
    if (!value.empty()) values[std::string(rest.substr(0, equals))] = value;
  }
  return values;
}

Lookup with_local_env(FileReader& fs, Lookup environment) {
  const auto text = fs.read("local.env");
  auto local = text ? parse_local_env(*text) : std::map<std::string, std::string>();
  return [environment = std::move(environment),
          local = std::move(local)](const std::string& name) -> std::optional<std::string> {
    if (auto value = environment(name); value && !value->empty()) return value;
    const auto found = local.find(name);
    return found == local.end() ? std::nullopt : std::optional(found->second);
  };
}

}  // namespace forge
