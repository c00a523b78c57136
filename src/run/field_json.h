// Structs as JSON objects: each type lists its members once, in a function `fields(a, value)` of
// namespace forge, and FieldWriter and FieldReader walk the same list, so that what is written can
// be read. Enumerations have `text_of_enum(value)` and `enum_of_text(Enum{}, text)` there. Pure.
// May know: base.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace forge {

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};
template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

class FieldWriter {
 public:
  template <typename T>
  void operator()(std::string_view name, T& value) {
    json_.set(name, write(value));
  }

  Json take() { return std::move(json_); }

 private:
  template <typename T>
  static Json write(T& value) {
    if constexpr (std::is_enum_v<T>) {
      return Json(text_of_enum(value));
    } else if constexpr (std::is_constructible_v<Json, T> && !IsVector<T>::value) {
      return Json(value);
    } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
      Json object = Json::object();
      for (const auto& [key, text] : value) object.set(key, text);
      return object;
    } else if constexpr (IsVector<T>::value) {
      Json array = Json::array();
      for (auto& element : value) array.push_back(write(element));
      return array;
    } else if constexpr (IsOptional<T>::value) {
      return value ? write(*value) : Json();
    } else {
      FieldWriter nested;
      fields(nested, value);
      return nested.take();
    }
  }

  Json json_ = Json::object();
};

class FieldReader {
 public:
  FieldReader(const Json& json, std::string document, std::string path)
      : json_(&json), document_(std::move(document)), path_(std::move(path)) {
    if (json_->as_object() == nullptr) fail("", "must be an object");
  }

  template <typename T>
  void operator()(std::string_view name, T& value) {
    if (error_) return;
    ++known_;
    const Json* member = json_->find(name);
    if (member == nullptr) return fail(name, "is missing");
    read(*member, value, name);
  }

  std::optional<Error> finish() {
    const auto* object = json_->as_object();
    if (object != nullptr && object->size() != known_) {
      fail("", "holds a key that this version does not know");
    }
    return error_;
  }

 private:
  template <typename T>
  void read(const Json& json, T& value, std::string_view name) {
    if constexpr (std::is_enum_v<T>) {
      const auto* text = json.as_string();
      const auto parsed = text == nullptr ? std::nullopt : enum_of_text(T{}, *text);
      parsed ? void(value = *parsed) : fail(name, "is no value that this version knows");
    } else if constexpr (std::is_same_v<T, Json>) {
      value = json;
    } else if constexpr (std::is_same_v<T, std::string>) {
      json.as_string() ? void(value = *json.as_string()) : fail(name, "must be a string");
    } else if constexpr (std::is_same_v<T, bool>) {
      json.as_bool() ? void(value = *json.as_bool()) : fail(name, "must be true or false");
    } else if constexpr (std::is_arithmetic_v<T>) {
      read_number(json, value, name);
    } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
      read_texts(json, value, name);
    } else if constexpr (IsVector<T>::value) {
      read_vector(json, value, name);
    } else if constexpr (IsOptional<T>::value) {
      if (!json.is_null()) read(json, value.emplace(), name);
    } else {
      FieldReader nested(json, document_, member_path(name));
      fields(nested, value);
      if (auto error = nested.finish(); error && !error_) error_ = std::move(error);
    }
  }

  void read_number(const Json& json, double& value, std::string_view name) {
    // NaN and infinities are written as null.
    if (json.is_null()) {
      value = std::numeric_limits<double>::quiet_NaN();
    } else if (!json.as_number(value)) {
      fail(name, "must be a number");
    }
  }
  void read_number(const Json& json, std::uint64_t& value, std::string_view name) {
    if (!json.as_uint(value)) fail(name, "must be an unsigned integer");
  }
  void read_number(const Json& json, std::int64_t& value, std::string_view name) {
    if (!json.as_int(value)) fail(name, "must be an integer");
  }
  void read_number(const Json& json, int& value, std::string_view name) {
    std::int64_t wide = 0;
    if (!json.as_int(wide) || wide < 0 || wide > std::numeric_limits<int>::max()) {
      return fail(name, "must be a number from 0 to 2147483647");
    }
    value = static_cast<int>(wide);
  }

  void read_texts(const Json& json, std::map<std::string, std::string>& value,
                  std::string_view name) {
    const auto* object = json.as_object();
    if (object == nullptr) return fail(name, "must be an object");
    for (const auto& [key, member] : *object) {
      const auto* text = member.as_string();
      if (text == nullptr) return fail(name, "must hold strings");
      value[key] = *text;
    }
  }

  template <typename T>
  void read_vector(const Json& json, std::vector<T>& value, std::string_view name) {
    const auto* array = json.as_array();
    if (array == nullptr) return fail(name, "must be an array");
    for (const auto& element : *array) {
      const auto place = fmt::format("{}[{}]", name, value.size());
      read(element, value.emplace_back(), place);
      if (error_) return;
    }
  }

  void fail(std::string_view name, std::string_view cause) {
    if (error_) return;
    error_ = Error{ErrorKind::kCorrupt, "cannot read", document_,
                   fmt::format("'{}' {}", member_path(name), cause),
                   "it was damaged, or written by another version"};
  }

  std::string member_path(std::string_view name) const {
    if (name.empty()) return path_;
    return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
  }

  const Json* json_;
  std::string document_;
  std::string path_;
  std::size_t known_ = 0;
  std::optional<Error> error_;
};

// The members of what a variant holds.
template <typename... Types>
Json fields_of(const std::variant<Types...>& event) {
  return std::visit(
      [](auto value) {
        FieldWriter writer;
        fields(writer, value);
        return writer.take();
      },
      event);
}

// Tries the types of a variant one after the other until `type_name<T>()` is `type`.
template <typename Event, typename TypeName, std::size_t I = 0>
Result<Event> read_event(TypeName type_name, std::string_view type, const Json& data,
                         const std::string& document) {
  if constexpr (I == std::variant_size_v<Event>) {
    return Error{ErrorKind::kCorrupt, "cannot read", document,
                 fmt::format("unknown event '{}'", type), "it was written by another version"};
  } else {
    using T = std::variant_alternative_t<I, Event>;
    T value{};
    if (type != type_name(value)) {
      return read_event<Event, TypeName, I + 1>(type_name, type, data, document);
    }
    FieldReader reader(data, document, "data");
    fields(reader, value);
    if (auto error = reader.finish()) return std::move(*error);
    return Event(std::move(value));
  }
}

}  // namespace forge
