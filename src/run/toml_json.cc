#include "run/toml_json.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <vector>

namespace forge {
namespace {

Error refused(std::string_view object, std::size_t line, std::string cause) {
  return Error{ErrorKind::kInvalidInput, "cannot read", fmt::format("{}:{}", object, line),
               std::move(cause), ""};
}

Result<Json> convert(const toml::node& node, std::string_view object);

Result<Json> convert_table(const toml::table& table, std::string_view object) {
  // toml++ sorts keys; the file's order is easier to read in messages.
  std::vector<std::pair<toml::source_position, const toml::key*>> order;
  for (const auto& [key, value] : table) order.emplace_back(key.source().begin, &key);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  Json json = Json::object();
  for (const auto& [position, key] : order) {
    FORGE_TRY(auto value, convert(*table.get(key->str()), object));
    json.set(key->str(), std::move(value));
  }
  return json;
}

Result<Json> convert(const toml::node& node, std::string_view object) {
  if (const auto* table = node.as_table()) return convert_table(*table, object);
  if (const auto* array = node.as_array()) {
    Json json = Json::array();
    for (const auto& element : *array) {
      FORGE_TRY(auto value, convert(element, object));
      json.push_back(std::move(value));
    }
    return json;
  }
  if (const auto* text = node.as_string()) return Json(text->get());
  if (const auto* integer = node.as_integer()) return Json(std::int64_t{integer->get()});
  if (const auto* number = node.as_floating_point()) return Json(number->get());
  if (const auto* boolean = node.as_boolean()) return Json(boolean->get());
  return refused(object, node.source().begin.line, "dates and times have no meaning here");
}

}  // namespace

Result<Json> toml_to_json(std::string_view text, std::string_view object) {
  const auto parsed = toml::parse(text, object);
  if (!parsed) {
    const auto& error = parsed.error();
    return refused(object, error.source().begin.line, std::string(error.description()));
  }
  return convert_table(parsed.table(), object);
}

}  // namespace forge
