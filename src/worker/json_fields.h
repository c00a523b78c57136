// Checked fields of the worker's documents: ranges, lists, names, versions. Pure. May know: base,
// judge.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "judge/json_array.h"

namespace forge {

// An error that names both versions unless `version` is the one given.
Status require_version(const JsonReader& reader, std::int64_t supported);

Result<std::int64_t> integer_between(const JsonReader& reader, std::string_view key,
                                     std::int64_t low, std::int64_t high);
Result<int> int_between(const JsonReader& reader, std::string_view key, int low, int high);
Result<double> number_between(const JsonReader& reader, std::string_view key, double low,
                              double high);

// JSON has neither NaN nor infinities; where they tell something they travel as words.
Json number_or_word(double value);
Result<double> read_number_or_word(const JsonReader& reader, std::string_view key);
// For what is measured: NaN (not known) or at least 0.
Result<double> read_measurement(const JsonReader& reader, std::string_view key);

// One file or folder name on any system: letters, digits, '.', '_', '-', at most 64, no leading '.'
// or '-'.
bool is_safe_name(std::string_view name);
Result<std::string> safe_name(const JsonReader& reader, std::string_view key);
// Stays inside the folder that it is relative to, by name alone: no "..", no empty parts.
bool is_safe_relative_path(std::string_view path);

Result<std::string> string_element(const JsonReader& element);
Result<std::int64_t> integer_element(const JsonReader& element);
Result<double> number_element(const JsonReader& element);
Result<double> number_or_word_element(const JsonReader& element);

template <typename T>
Json list_json(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(value);
  return json;
}

// An object of each element, by `write(element) -> Json`.
template <typename T, typename Write>
Json list_json(const std::vector<T>& values, Write write) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(write(value));
  return json;
}

// `parse(JsonReader of one element) -> Result<T>`.
template <typename Parse>
auto read_list(const JsonReader& reader, std::string_view key, std::size_t most, Parse parse)
    -> Result<std::vector<typename std::invoke_result_t<Parse, JsonReader>::value_type>> {
  FORGE_TRY(const Json* array, reader.array(key));
  const Json::Array& elements = elements_of(array);
  if (elements.size() > most) {
    return reader.error(key, "holds more than " + std::to_string(most) + " elements");
  }
  std::vector<typename std::invoke_result_t<Parse, JsonReader>::value_type> values;
  values.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    FORGE_TRY(auto value, parse(reader.element(key, i, elements[i])));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace forge
