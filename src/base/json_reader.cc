#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"

namespace forge {

JsonReader::JsonReader(const Json& json, std::string document, std::string path)
    : json_(&json), document_(std::move(document)), path_(std::move(path)) {}

std::string JsonReader::member_path(std::string_view key) const {
  if (key.empty()) return path_;
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

Error JsonReader::error(std::string_view key, std::string_view cause) const {
  const std::string path = member_path(key);
  const std::string subject = path.empty() ? "the document" : fmt::format("'{}'", path);
  return Error{ErrorKind::kInvalidInput, "cannot read", document_,
               fmt::format("{} {}", subject, cause), ""};
}

Status JsonReader::require_object() const {
  if (json_->as_object() == nullptr) return error("", "must be an object");
  return {};
}

Status JsonReader::only_keys(std::initializer_list<std::string_view> known) const {
  const Json::Object* members = json_->as_object();
  if (members == nullptr) return require_object();
  for (const auto& [key, value] : *members) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    Error unknown{ErrorKind::kInvalidInput, "cannot read", document_, "", ""};
    unknown.cause = fmt::format("unknown key '{}'", member_path(key));
    const std::vector<std::string> names(known.begin(), known.end());
    if (const auto nearest = nearest_name(key, names)) {
      unknown.remedy = fmt::format("did you mean '{}'?", *nearest);
    } else {
      unknown.remedy = fmt::format("known keys: {}", join(names, ", "));
    }
    return unknown;
  }
  return {};
}

Result<const Json*> JsonReader::member(std::string_view key) const {
  FORGE_TRY_STATUS(require_object());
  const Json* found = json_->find(key);
  if (found == nullptr) return error(key, "is missing");
  return found;
}

Result<std::string> JsonReader::string(std::string_view key) const {
  FORGE_TRY(const Json* found, member(key));
  const std::string* value = found->as_string();
  if (value == nullptr) return error(key, "must be a string");
  return *value;
}

Result<std::int64_t> JsonReader::integer(std::string_view key) const {
  FORGE_TRY(const Json* found, member(key));
  std::int64_t value = 0;
  if (!found->as_int(value)) return error(key, "must be an integer");
  return value;
}

Result<std::uint64_t> JsonReader::unsigned_integer(std::string_view key) const {
  FORGE_TRY(const Json* found, member(key));
  std::uint64_t value = 0;
  if (!found->as_uint(value)) return error(key, "must be an integer of at least 0");
  return value;
}

Result<double> JsonReader::number(std::string_view key) const {
  FORGE_TRY(const Json* found, member(key));
  double value = 0;
  if (!found->as_number(value)) return error(key, "must be a number");
  return value;
}

Result<bool> JsonReader::boolean(std::string_view key) const {
  FORGE_TRY(const Json* found, member(key));
  const bool* value = found->as_bool();
  if (value == nullptr) return error(key, "must be true or false");
  return *value;
}

Result<const Json*> JsonReader::array(std::string_view key) const {
  FORGE_TRY(const Json* found, member(key));
  if (found->as_array() == nullptr) return error(key, "must be an array");
  return found;
}

Result<JsonReader> JsonReader::object(std::string_view key) const {
  FORGE_TRY(const Json* found, member(key));
  if (found->as_object() == nullptr) return error(key, "must be an object");
  return JsonReader(*found, document_, member_path(key));
}

JsonReader JsonReader::element(std::string_view key, std::size_t index, const Json& value) const {
  return JsonReader(value, document_, fmt::format("{}[{}]", member_path(key), index));
}

}  // namespace forge
