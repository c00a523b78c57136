#include "problem/parse_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "problem/names.h"
#include "problem/toml_reader.h"

namespace forge {
namespace {

Error with_remedy(Error error, std::string remedy) {
  error.remedy = std::move(remedy);
  return error;
}

// An error if there is no array at `key`.
Result<const Json::Array*> array_at(const JsonReader& reader, std::string_view key) {
  FORGE_TRY(const Json* value, reader.array(key));
  const Json::Array* array = value->as_array();
  FORGE_CHECK(array != nullptr);
  return array;
}

// The elements of the array at `key`; none where it is missing.
Result<std::vector<JsonReader>> elements(const JsonReader& reader, std::string_view key) {
  std::vector<JsonReader> out;
  if (!reader.has(key)) return out;
  FORGE_TRY(const Json::Array* array, array_at(reader, key));
  for (const Json& value : *array) {
    out.push_back(reader.element(key, out.size(), value));
  }
  return out;
}

Result<std::string> read_label(const JsonReader& reader) {
  FORGE_TRY(std::string name, reader.string("name"));
  if (const std::string why = why_not_label(name); !why.empty()) {
    return reader.error("name", fmt::format("is '{}', which {}", printable(clip(name, 80)), why));
  }
  return name;
}

Result<ScalarValue> read_scalar(const JsonReader& reader, const ScalarParam& param) {
  const Json& value = *reader.json().find(param.name);
  const std::string_view dtype = dtype_name(param.dtype);
  if (is_float(param.dtype)) {
    double number = 0;
    if (value.as_number(number)) return ScalarValue(number);
    return reader.error(param.name, fmt::format("must be a number: the scalar is {}", dtype));
  }
  if (param.dtype == Dtype::kBool) {
    if (const bool* boolean = value.as_bool()) return ScalarValue(std::int64_t{*boolean});
    return reader.error(param.name, "must be true or false: the scalar is bool");
  }
  std::int64_t integer = 0;
  if (value.as_int(integer)) return ScalarValue(integer);
  return reader.error(param.name, fmt::format("must be an integer: the scalar is {}", dtype));
}

// `what`: "scalar" or "dim".
Status only_known(const JsonReader& reader, const std::vector<std::string>& known,
                  std::string_view what) {
  const Json::Object* object = reader.json().as_object();
  if (object == nullptr) return reader.require_object();
  for (const auto& [key, value] : *object) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    return with_remedy(reader.error(key, fmt::format("is no {} of the signature", what)),
                       suggest(key, known));
  }
  return {};
}

Result<ScalarValues> read_scalars(const JsonReader& parent, const Signature& signature) {
  ScalarValues out;
  if (!parent.has("scalars")) return out;
  FORGE_TRY(const JsonReader reader, parent.object("scalars"));
  std::vector<std::string> known;
  for (const ScalarParam& param : signature.scalars) known.push_back(param.name);
  FORGE_TRY_STATUS(only_known(reader, known, "scalar"));
  for (const ScalarParam& param : signature.scalars) {
    if (!reader.has(param.name)) continue;
    FORGE_TRY(const ScalarValue value, read_scalar(reader, param));
    out.emplace(param.name, value);
  }
  return out;
}

Result<Bindings> read_dims(const JsonReader& parent, const Signature& signature) {
  Bindings out;
  if (!parent.has("dims") && signature.dims.empty()) return out;
  FORGE_TRY(const JsonReader reader, parent.object("dims"));
  FORGE_TRY_STATUS(only_known(reader, signature.dims, "dim"));
  for (const std::string& dim : signature.dims) {
    FORGE_TRY(const std::int64_t value, reader.integer(dim));
    if (value < 0) return reader.error(dim, "must be at least 0");
    out.emplace(dim, value);
  }
  return out;
}

Result<std::vector<std::string>> read_absent(const JsonReader& reader, const Signature& signature) {
  std::vector<std::string> optional;
  for (const TensorParam& tensor : signature.tensors) {
    if (tensor.presence == Presence::kOptional) optional.push_back(tensor.name);
  }
  std::vector<std::string> out;
  if (!reader.has("absent")) return out;
  FORGE_TRY(const Json::Array* array, array_at(reader, "absent"));
  for (const Json& element : *array) {
    const std::string* name = element.as_string();
    if (name == nullptr) return reader.error("absent", "must be an array of strings");
    if (std::find(optional.begin(), optional.end(), *name) == optional.end()) {
      return with_remedy(
          reader.error("absent", fmt::format("names '{}', which is no optional input", *name)),
          optional.empty() ? "the signature has no optional inputs" : suggest(*name, optional));
    }
    if (std::find(out.begin(), out.end(), *name) != out.end()) {
      return reader.error("absent", fmt::format("names '{}' twice", *name));
    }
    out.push_back(*name);
  }
  return out;
}

Result<std::string> read_purpose(const JsonReader& reader) {
  FORGE_TRY(const std::string purpose, reader.string("purpose"));
  const std::string_view trimmed = trim(purpose);
  if (trimmed.empty() || trimmed.find('\n') != std::string_view::npos) {
    return with_remedy(reader.error("purpose", "must be one line"),
                       "say what kind of error the group is there to catch");
  }
  return std::string(trimmed);
}

Result<InputGroup> parse_group(const JsonReader& reader, const Signature& signature) {
  FORGE_TRY_STATUS(reader.only_keys({"name", "purpose", "scalars", "absent"}));
  InputGroup group;
  FORGE_TRY(group.name, read_label(reader));
  FORGE_TRY(group.purpose, read_purpose(reader));
  FORGE_TRY(group.scalars, read_scalars(reader, signature));
  FORGE_TRY(group.absent, read_absent(reader, signature));
  return group;
}

// Appends the groups of `reader` to `groups`, whose names they must not repeat.
Status parse_groups(const JsonReader& reader, const Signature& signature,
                    std::vector<InputGroup>& groups) {
  FORGE_TRY(const auto items, elements(reader, "groups"));
  for (const JsonReader& item : items) {
    FORGE_TRY(InputGroup group, parse_group(item, signature));
    const bool taken = std::any_of(groups.begin(), groups.end(), [&](const InputGroup& other) {
      return other.name == group.name;
    });
    if (taken) {
      return with_remedy(item.error("name", fmt::format("is '{}', like another group", group.name)),
                         "groups shared by all shapes count too");
    }
    groups.push_back(std::move(group));
  }
  return {};
}

Result<ShapeSpec> parse_shape(const JsonReader& reader, const Signature& signature,
                              const std::vector<InputGroup>& shared) {
  FORGE_TRY_STATUS(reader.only_keys({"name", "dims", "scalars", "groups"}));
  ShapeSpec shape;
  FORGE_TRY(shape.name, read_label(reader));
  FORGE_TRY(shape.dims, read_dims(reader, signature));
  FORGE_TRY(shape.scalars, read_scalars(reader, signature));
  shape.groups = shared;
  FORGE_TRY_STATUS(parse_groups(reader, signature, shape.groups));
  if (shape.groups.empty()) {
    return with_remedy(reader.error("groups", "is missing: a shape needs at least one input group"),
                       "add { \"name\": …, \"purpose\": … } to it or to the document's groups");
  }
  return shape;
}

}  // namespace

Result<std::vector<ShapeSpec>> parse_shapes(std::string_view text, const std::string& file,
                                            const Signature& signature) {
  FORGE_TRY(const Json json, parse_json(text, file));
  const JsonReader reader(json, file);
  FORGE_TRY_STATUS(reader.only_keys({"groups", "shapes"}));
  std::vector<InputGroup> shared;
  FORGE_TRY_STATUS(parse_groups(reader, signature, shared));
  FORGE_TRY_STATUS(reader.array("shapes"));
  FORGE_TRY(const auto items, elements(reader, "shapes"));
  if (items.empty()) return reader.error("shapes", "must hold at least one shape");
  std::vector<ShapeSpec> shapes;
  for (const JsonReader& item : items) {
    FORGE_TRY(ShapeSpec shape, parse_shape(item, signature, shared));
    const bool taken = std::any_of(shapes.begin(), shapes.end(), [&](const ShapeSpec& other) {
      return other.name == shape.name;
    });
    if (taken) return item.error("name", fmt::format("is '{}', like another shape", shape.name));
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace forge
