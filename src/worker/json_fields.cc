#include "worker/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestPath = 1024;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

constexpr std::string_view kNumberOrWord = R"(must be a number, "nan", "inf" or "-inf")";

std::optional<double> decode_number(const Json& json) {
  double value = 0;
  if (json.as_number(value)) return value;
  const std::string* word = json.as_string();
  if (word == nullptr) return std::nullopt;
  if (*word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (*word == "inf") return std::numeric_limits<double>::infinity();
  if (*word == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

}  // namespace

Status require_version(const JsonReader& reader, std::int64_t supported) {
  FORGE_TRY(const std::int64_t version, reader.integer("version"));
  if (version == supported) return {};
  Error error = reader.error(
      "version", fmt::format("is {}, and this program reads version {}", version, supported));
  error.remedy = "use forge and forge-worker of the same release";
  return error;
}

Result<std::int64_t> integer_between(const JsonReader& reader, std::string_view key,
                                     std::int64_t low, std::int64_t high) {
  FORGE_TRY(const std::int64_t value, reader.integer(key));
  if (value < low || value > high) {
    return reader.error(key, fmt::format("is {}, outside {} to {}", value, low, high));
  }
  return value;
}

Result<int> int_between(const JsonReader& reader, std::string_view key, int low, int high) {
  FORGE_TRY(const std::int64_t value, integer_between(reader, key, low, high));
  return static_cast<int>(value);
}

Result<double> number_between(const JsonReader& reader, std::string_view key, double low,
                              double high) {
  FORGE_TRY(const double value, reader.number(key));
  if (!(value >= low && value <= high)) {
    return reader.error(key, fmt::format("is {}, outside {} to {}", value, low, high));
  }
  return value;
}

Json number_or_word(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Result<double> read_number_or_word(const JsonReader& reader, std::string_view key) {
  const Json* value = reader.json().find(key);
  if (value == nullptr) return reader.number(key);  // an error: the member is missing
  if (const auto number = decode_number(*value)) return *number;
  return reader.error(key, kNumberOrWord);
}

Result<double> read_measurement(const JsonReader& reader, std::string_view key) {
  FORGE_TRY(const double value, read_number_or_word(reader, key));
  if (value < 0) return reader.error(key, "must not be negative");
  return value;
}

bool is_safe_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), is_name_character);
}

Result<std::string> safe_name(const JsonReader& reader, std::string_view key) {
  FORGE_TRY(std::string name, reader.string(key));
  if (!is_safe_name(name)) {
    return reader.error(key,
                        "must be at most 64 letters, digits, '.', '_' or '-', and not begin with "
                        "'.' or '-'");
  }
  return name;
}

bool is_safe_relative_path(std::string_view path) {
  if (path.empty() || path.size() > kLongestPath) return false;
  if (printable(path) != path || path.find_first_of("\\\t\n") != std::string_view::npos) {
    return false;
  }
  const std::vector<std::string> parts = split(path, '/');
  return std::none_of(parts.begin(), parts.end(), [](const std::string& part) {
    return part.empty() || part == "." || part == "..";
  });
}

Result<std::string> string_element(const JsonReader& element) {
  const std::string* value = element.json().as_string();
  if (value == nullptr) return element.error("", "must be a string");
  return *value;
}

Result<std::int64_t> integer_element(const JsonReader& element) {
  std::int64_t value = 0;
  if (!element.json().as_int(value)) return element.error("", "must be an integer");
  return value;
}

Result<double> number_element(const JsonReader& element) {
  double value = 0;
  if (!element.json().as_number(value)) return element.error("", "must be a number");
  return value;
}

Result<double> number_or_word_element(const JsonReader& element) {
  if (const auto number = decode_number(element.json())) return *number;
  return element.error("", kNumberOrWord);
}

}  // namespace forge
