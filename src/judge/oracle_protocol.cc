#include "judge/oracle_protocol.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace forge {
namespace {

std::string_view direction_word(Direction direction) {
  switch (direction) {
    case Direction::kInput:
      return "in";
    case Direction::kInOut:
      return "inout";
    case Direction::kOutput:
      return "out";
  }
  invariant_failed(__FILE__, __LINE__, "a known direction");
}

// 17 digits give every double back.
std::string scalar_text(const ScalarValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  return fmt::format("{:.17g}", std::get<double>(value));
}

std::string tensor_lines(const ConcreteTensor& tensor) {
  const TensorParam& param = *tensor.param;
  if (!tensor.present) return fmt::format("absent {}\n", param.name);
  std::string text = fmt::format("tensor {} {} {} {}", param.name, direction_word(param.direction),
                                 dtype_name(param.dtype), tensor.layout.shape.size());
  for (const std::int64_t extent : tensor.layout.shape) text += fmt::format(" {}", extent);
  for (const std::int64_t stride : tensor.layout.strides) text += fmt::format(" {}", stride);
  text += "\n";
  if (param.range) {
    text += fmt::format("range {} {} {}\n", param.name, tensor.range_low, tensor.range_high);
  }
  return text;
}

// All that a case consists of but its folder.
std::string case_lines(const Instance& instance, std::uint64_t seed) {
  std::string text =
      fmt::format("shape {}\ngroup {}\nseed {}\n", instance.shape, instance.group, seed);
  for (const auto& [name, value] : instance.dims) text += fmt::format("dim {} {}\n", name, value);
  for (const ConcreteScalar& scalar : instance.scalars) {
    text += fmt::format("scalar {} {} {}\n", scalar.param->name, dtype_name(scalar.param->dtype),
                        scalar_text(scalar.value));
  }
  for (const ConcreteTensor& tensor : instance.tensors) text += tensor_lines(tensor);
  return text;
}

Status require_one_line(std::string_view what, const std::string& text) {
  if (text.find('\n') == std::string::npos) return {};
  return Error{ErrorKind::kInvalidInput, "cannot tell the oracle", std::string(what),
               "it holds a line break", "rename it"};
}

Status require_sendable(const Instance& instance, const Path& folder) {
  FORGE_TRY_STATUS(require_one_line("the shape's name", instance.shape));
  FORGE_TRY_STATUS(require_one_line("the group's name", instance.group));
  return require_one_line("the cache folder's name", folder.string());
}

Error bad_greeting(std::string cause) {
  return Error{ErrorKind::kInvalidInput, "cannot understand the oracle's greeting", "",
               std::move(cause), ""};
}

}  // namespace

Path input_file(const Path& folder, std::string_view tensor) {
  return folder / fmt::format("{}.in", tensor);
}
Path expected_file(const Path& folder, std::string_view tensor) {
  return folder / fmt::format("{}.out", tensor);
}
Path actual_file(const Path& folder, std::string_view tensor) {
  return folder / fmt::format("{}.got", tensor);
}

Result<OracleGreeting> parse_greeting(const std::vector<std::string>& lines) {
  if (lines.empty() || lines.front() != kGreetingStart || lines.back() != kGreetingEnd) {
    return bad_greeting(fmt::format(
        "it must begin with '{}' and end with '{}', and begins with '{}'", kGreetingStart,
        kGreetingEnd, lines.empty() ? "" : clip(printable(lines.front()), 80)));
  }
  OracleGreeting greeting;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::size_t space = line.find(' ');
    const std::string key = line.substr(0, space);
    std::string value = space == std::string::npos ? "" : line.substr(space + 1);
    if (key == "describe") {
      greeting.description = std::move(value);
    } else if (key == "custom") {
      greeting.custom.push_back(std::move(value));
    } else if (key == "may_be_nan") {
      greeting.may_be_nan.push_back(std::move(value));
    } else if (key == "group") {
      greeting.groups.push_back(std::move(value));
    } else {
      return bad_greeting(fmt::format("unknown line '{}'", clip(printable(line), 80)));
    }
  }
  return greeting;
}

std::string greeting_text(const OracleGreeting& greeting) {
  std::string text = fmt::format("{}\ndescribe {}\n", kGreetingStart, greeting.description);
  for (const std::string& name : greeting.custom) text += fmt::format("custom {}\n", name);
  for (const std::string& name : greeting.may_be_nan) text += fmt::format("may_be_nan {}\n", name);
  for (const std::string& name : greeting.groups) text += fmt::format("group {}\n", name);
  return text + fmt::format("{}\n", kGreetingEnd);
}

Result<std::string> case_request(const Instance& instance, std::uint64_t seed, const Path& folder) {
  FORGE_TRY_STATUS(require_sendable(instance, folder));
  return fmt::format("case\nfolder {}\n{}end\n", folder.string(), case_lines(instance, seed));
}

Result<std::string> expect_request(const Instance& instance, std::uint64_t seed,
                                   const Path& folder) {
  FORGE_TRY_STATUS(require_sendable(instance, folder));
  return fmt::format("expect\nfolder {}\n{}end\n", folder.string(), case_lines(instance, seed));
}

Result<std::string> compare_request(const Instance& instance, std::uint64_t seed,
                                    const Path& folder, std::string_view output,
                                    const Path& actual) {
  FORGE_TRY_STATUS(require_sendable(instance, folder));
  FORGE_TRY_STATUS(require_one_line("the output's folder", actual.string()));
  return fmt::format("compare\nfolder {}\nactual {}\noutput {}\n{}end\n", folder.string(),
                     actual.string(), output, case_lines(instance, seed));
}

OracleAnswer parse_answer(std::string_view line) {
  const std::size_t space = line.find(' ');
  const std::string_view word = line.substr(0, space);
  const std::string_view rest = space == std::string_view::npos ? "" : line.substr(space + 1);
  if (word == "ok") return OracleOk{std::string(rest)};
  if (word == "error") return OracleRefusal{printable(rest)};
  return OracleGarbage{clip(printable(line), 80)};
}

Digest case_key(const Digest& oracle, const OracleGreeting& greeting, const Instance& instance,
                std::uint64_t seed) {
  Hasher hasher;
  hasher.add(oracle.hex).add(greeting.description).add(case_lines(instance, seed));
  return hasher.finish();
}

}  // namespace forge
