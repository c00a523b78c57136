// A JSON value of our own, so that only json.cc pays for nlohmann's header. May know: error.h.
//
// Objects keep insertion order, which makes written files stable and readable. Numbers keep their
// kind: an integer stays exact in 64 bits. Readers use JsonReader, whose errors name file and key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace forge {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;                                 // null
  Json(bool value) : value_(value) {}               // NOLINT(google-explicit-constructor)
  Json(int value) : value_(std::int64_t{value}) {}  // NOLINT(google-explicit-constructor)
  Json(std::int64_t value) : value_(value) {}       // NOLINT(google-explicit-constructor)
  Json(std::uint64_t value) {                       // NOLINT(google-explicit-constructor)
    // One representation a number, so that equal numbers compare equal.
    if (value <= std::uint64_t{INT64_MAX}) {
      value_ = static_cast<std::int64_t>(value);
    } else {
      value_ = value;
    }
  }
  Json(double value) : value_(value) {}                  // NOLINT(google-explicit-constructor)
  Json(std::string value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Json(std::string_view value) : value_(std::string(value)) {}  // NOLINT
  Json(const char* value) : value_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  Json(Array value) : value_(std::move(value)) {}          // NOLINT(google-explicit-constructor)
  Json(Object value) : value_(std::move(value)) {}         // NOLINT(google-explicit-constructor)

  static Json array() { return Json(Array{}); }
  static Json object() { return Json(Object{}); }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  const bool* as_bool() const { return std::get_if<bool>(&value_); }
  const std::string* as_string() const { return std::get_if<std::string>(&value_); }
  const Array* as_array() const { return std::get_if<Array>(&value_); }
  const Object* as_object() const { return std::get_if<Object>(&value_); }
  // True and sets `out` if the value is an integer that fits.
  bool as_int(std::int64_t& out) const;
  bool as_uint(std::uint64_t& out) const;
  bool as_number(double& out) const;

  // The member, or nullptr if this is no object or has no such member.
  const Json* find(std::string_view key) const;
  // Appends or replaces a member; requires an object (or null, which becomes one).
  Json& set(std::string_view key, Json value);
  // Appends an element; requires an array (or null, which becomes one).
  void push_back(Json value);

  bool operator==(const Json& other) const = default;

  // Compact, one line; NaN and infinities are written as null.
  std::string dump() const;
  std::string dump_pretty() const;

 private:
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array,
               Object>
      value_;
};

// Duplicate keys, invalid UTF-8, trailing text and nesting deeper than 64 are errors.
// `object` names the text in messages ("shapes.json", "journal.jsonl:17").
Result<Json> parse_json(std::string_view text, std::string_view object);

// Checked access to one object of a document. Reports wrong types, missing and unknown keys with
// the document's name and the path inside it: "job.json: 'timing.looks' must be an array".
class JsonReader {
 public:
  // `json` must outlive the reader. `path` is "" for the root.
  JsonReader(const Json& json, std::string document, std::string path = "");

  Status require_object() const;
  Status only_keys(std::initializer_list<std::string_view> known) const;

  Result<std::string> string(std::string_view key) const;
  Result<std::int64_t> integer(std::string_view key) const;
  Result<std::uint64_t> unsigned_integer(std::string_view key) const;
  Result<double> number(std::string_view key) const;
  Result<bool> boolean(std::string_view key) const;
  Result<const Json*> array(std::string_view key) const;
  Result<JsonReader> object(std::string_view key) const;

  bool has(std::string_view key) const { return json_->find(key) != nullptr; }
  // A reader for element `index` of the array at `key`, for nested errors.
  JsonReader element(std::string_view key, std::size_t index, const Json& value) const;

  const Json& json() const { return *json_; }
  Error error(std::string_view key, std::string_view cause) const;

 private:
  std::string member_path(std::string_view key) const;
  Result<const Json*> member(std::string_view key) const;

  const Json* json_;
  std::string document_;
  std::string path_;
};

}  // namespace forge
