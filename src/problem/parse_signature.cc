#include "problem/parse_signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "problem/names.h"

namespace forge {
namespace {

struct MeaningName {
  std::string_view name;
  IntegerMeaning meaning;
};
constexpr MeaningName kMeanings[] = {
    {"values", IntegerMeaning::kValues},   {"offsets", IntegerMeaning::kOffsets},
    {"indices", IntegerMeaning::kIndices}, {"block_table", IntegerMeaning::kBlockTable},
    {"lengths", IntegerMeaning::kLengths},
};

bool is_integer(Dtype dtype) { return !is_float(dtype) && dtype != Dtype::kBool; }

// Dims and integer scalars: what an expression may use.
std::vector<std::string> expression_names(const Signature& signature) {
  std::vector<std::string> names = signature.dims;
  for (const ScalarParam& scalar : signature.scalars) {
    if (is_integer(scalar.dtype)) names.push_back(scalar.name);
  }
  return names;
}

// `value` is an element of `key`: an integer or a string that holds an expression.
Result<Expr> parse_expr(const TomlReader& reader, std::string_view key, const TomlValue& value,
                        const Signature& signature) {
  if (const auto* number = std::get_if<std::int64_t>(&value.data)) return Expr::constant(*number);
  const auto* text = std::get_if<std::string>(&value.data);
  if (text == nullptr) {
    return reader.error(value.line, fmt::format("{} must hold integers or expressions in strings",
                                                reader.describe(key)));
  }
  Result<Expr> expr = Expr::parse(*text);
  if (!expr) {
    const Error& inner = expr.error();
    return reader.error(value.line,
                        fmt::format("{} has the bad expression {}: {}", reader.describe(key),
                                    inner.object, inner.cause),
                        inner.remedy);
  }
  const std::vector<std::string> known = expression_names(signature);
  for (const std::string& name : expr->names()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const bool is_scalar = std::any_of(signature.scalars.begin(), signature.scalars.end(),
                                       [&](const ScalarParam& s) { return s.name == name; });
    return reader.error(
        value.line,
        fmt::format("'{}' of {} uses '{}', which is no dim and no integer scalar", *text,
                    reader.describe(key), name),
        is_scalar ? "only integer scalars may be used in expressions" : suggest(name, known));
  }
  return expr;
}

Result<std::vector<Expr>> parse_exprs(const TomlReader& reader, std::string_view key,
                                      const Signature& signature) {
  const TomlValue* value = reader.find(key);
  if (value == nullptr) {
    return reader.error(reader.line(), fmt::format("missing key '{}' in {}", key, reader.where()),
                        "a single element has shape = []");
  }
  const auto* array = std::get_if<TomlArray>(&value->data);
  if (array == nullptr) return reader.wrong_type(key, "an array of integers and expressions");
  std::vector<Expr> out;
  for (const TomlValue& element : *array) {
    FORGE_TRY(Expr expr, parse_expr(reader, key, element, signature));
    out.push_back(std::move(expr));
  }
  return out;
}

Result<Dtype> read_dtype(const TomlReader& reader) {
  FORGE_TRY(const auto text, reader.string("dtype"));
  if (const auto dtype = parse_dtype(text.value)) return *dtype;
  std::vector<std::string> known;
  for (const Dtype dtype : all_dtypes()) known.emplace_back(dtype_name(dtype));
  return reader.error(text.line,
                      fmt::format("unknown dtype '{}' in {}", text.value, reader.where()),
                      suggest(text.value, known));
}

// Refuses what can't be a member of the generated structs, and what is already taken.
Status check_name(const TomlReader& reader, const Located<std::string>& name,
                  const Signature& signature) {
  if (const std::string why = why_not_member_name(name.value); !why.empty()) {
    return reader.error(name.line,
                        fmt::format("the name '{}' in {} {}", name.value, reader.where(), why),
                        "choose another name");
  }
  const auto taken = [&](std::string_view what) {
    return reader.error(
        name.line,
        fmt::format("the name '{}' in {} is already a {}", name.value, reader.where(), what),
        "dims, scalars and tensors share one namespace");
  };
  if (std::find(signature.dims.begin(), signature.dims.end(), name.value) != signature.dims.end()) {
    return taken("dim");
  }
  for (const ScalarParam& scalar : signature.scalars) {
    if (scalar.name == name.value) return taken("scalar");
  }
  if (signature.find_tensor(name.value) != nullptr) return taken("tensor");
  return {};
}

Result<ScalarParam> parse_scalar(const TomlReader& reader, const Signature& signature) {
  FORGE_TRY_STATUS(reader.only_keys({"name", "dtype"}));
  FORGE_TRY(const auto name, reader.string("name"));
  FORGE_TRY_STATUS(check_name(reader, name, signature));
  FORGE_TRY(const Dtype dtype, read_dtype(reader));
  return ScalarParam{name.value, dtype};
}

Result<std::optional<IntegerRange>> parse_range(const TomlReader& reader, Dtype dtype,
                                                const Signature& signature) {
  std::optional<IntegerRange> out;
  if (!reader.has("range")) return out;
  const int line = reader.line_of("range");
  if (!is_integer(dtype)) {
    return reader.error(line,
                        fmt::format("{} is only for integer tensors", reader.describe("range")));
  }
  FORGE_TRY(auto bounds, parse_exprs(reader, "range", signature));
  if (bounds.size() != 2) {
    return reader.error(line,
                        fmt::format("{} must be [lowest, highest]", reader.describe("range")));
  }
  if (bounds[0].names().empty() && bounds[1].names().empty()) {
    FORGE_TRY(const std::int64_t low, bounds[0].evaluate({}));
    FORGE_TRY(const std::int64_t high, bounds[1].evaluate({}));
    if (low > high) {
      return reader.error(
          line, fmt::format("{} is empty: {} is above {}", reader.describe("range"), low, high));
    }
  }
  out = IntegerRange{std::move(bounds[0]), std::move(bounds[1])};
  return out;
}

Result<IntegerMeaning> parse_meaning(const TomlReader& reader, Dtype dtype) {
  if (!reader.has("meaning")) return IntegerMeaning::kValues;
  FORGE_TRY(const auto text, reader.string("meaning"));
  if (!is_integer(dtype)) {
    return reader.error(text.line,
                        fmt::format("{} is only for integer tensors", reader.describe("meaning")));
  }
  std::vector<std::string> known;
  for (const MeaningName& entry : kMeanings) {
    if (entry.name == text.value) return entry.meaning;
    known.emplace_back(entry.name);
  }
  return reader.error(text.line,
                      fmt::format("unknown meaning '{}' in {}", text.value, reader.where()),
                      suggest(text.value, known));
}

Result<Presence> parse_presence(const TomlReader& reader, Direction direction) {
  FORGE_TRY(const bool optional, reader.boolean_or("optional", false));
  if (optional && direction != Direction::kInput) {
    return reader.error(reader.line_of("optional"),
                        fmt::format("{} is only for inputs", reader.describe("optional")));
  }
  return optional ? Presence::kOptional : Presence::kRequired;
}

Result<TensorParam> parse_tensor(const TomlReader& reader, Direction direction,
                                 const Signature& signature) {
  FORGE_TRY_STATUS(
      reader.only_keys({"name", "dtype", "shape", "strides", "optional", "range", "meaning"}));
  TensorParam tensor;
  tensor.direction = direction;
  FORGE_TRY(const auto name, reader.string("name"));
  FORGE_TRY_STATUS(check_name(reader, name, signature));
  tensor.name = name.value;
  FORGE_TRY(tensor.dtype, read_dtype(reader));
  FORGE_TRY(tensor.shape, parse_exprs(reader, "shape", signature));
  if (reader.has("strides")) {
    FORGE_TRY(auto strides, parse_exprs(reader, "strides", signature));
    if (strides.size() != tensor.shape.size()) {
      return reader.error(
          reader.line_of("strides"),
          fmt::format("{} has {} entries, but 'shape' has {}", reader.describe("strides"),
                      strides.size(), tensor.shape.size()),
          "give one stride, in elements, for each dimension");
    }
    tensor.strides = std::move(strides);
  }
  FORGE_TRY(tensor.range, parse_range(reader, tensor.dtype, signature));
  FORGE_TRY(tensor.meaning, parse_meaning(reader, tensor.dtype));
  FORGE_TRY(tensor.presence, parse_presence(reader, direction));
  return tensor;
}

}  // namespace

Result<Signature> parse_signature(const TomlReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"dims", "scalars", "inputs", "inouts", "outputs"}));
  Signature signature;
  FORGE_TRY(const auto dims, reader.strings("dims"));
  for (const auto& dim : dims) {
    FORGE_TRY_STATUS(check_name(reader, dim, signature));
    signature.dims.push_back(dim.value);
  }
  FORGE_TRY(const auto scalars, reader.tables("scalars"));
  for (const TomlReader& scalar : scalars) {
    FORGE_TRY(auto parsed, parse_scalar(scalar, signature));
    signature.scalars.push_back(std::move(parsed));
  }
  constexpr std::pair<std::string_view, Direction> kLists[] = {{"inputs", Direction::kInput},
                                                               {"inouts", Direction::kInOut},
                                                               {"outputs", Direction::kOutput}};
  for (const auto& [key, direction] : kLists) {
    FORGE_TRY(const auto tensors, reader.tables(key));
    for (const TomlReader& tensor : tensors) {
      FORGE_TRY(auto parsed, parse_tensor(tensor, direction, signature));
      signature.tensors.push_back(std::move(parsed));
    }
  }
  const bool writes =
      std::any_of(signature.tensors.begin(), signature.tensors.end(),
                  [](const TensorParam& tensor) { return tensor.direction != Direction::kInput; });
  if (!writes) {
    return reader.error(reader.line(), "[signature] has no outputs and no inouts",
                        "a kernel must write something: add outputs = [{ name, dtype, shape }]");
  }
  return signature;
}

Result<Work> parse_work(const TomlReader& reader, const Signature& signature) {
  FORGE_TRY_STATUS(reader.only_keys({"bytes", "flops"}));
  Work work;
  for (const auto& [key, target] : {std::pair{"bytes", &work.bytes}, {"flops", &work.flops}}) {
    const TomlValue* value = reader.find(key);
    if (value == nullptr) continue;
    FORGE_TRY(Expr expr, parse_expr(reader, key, *value, signature));
    *target = std::move(expr);
  }
  return work;
}

}  // namespace forge
