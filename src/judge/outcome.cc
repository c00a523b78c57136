#include "judge/outcome.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "judge/json_array.h"

namespace forge {
namespace {

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

// JSON has no NaN and no infinities; here they are told apart, so they travel as words.
Json number_to_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Result<double> number_from_json(const JsonReader& reader, std::string_view key) {
  const Json* value = reader.json().find(key);
  const std::string* word = value == nullptr ? nullptr : value->as_string();
  if (word == nullptr) return reader.number(key);
  if (*word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (*word == "inf") return std::numeric_limits<double>::infinity();
  if (*word == "-inf") return -std::numeric_limits<double>::infinity();
  return reader.error(key, "must be a number, \"nan\", \"inf\" or \"-inf\"");
}

Json index_to_json(const std::vector<std::int64_t>& index) {
  Json json = Json::array();
  for (const std::int64_t i : index) json.push_back(i);
  return json;
}

Result<std::vector<std::int64_t>> index_from_json(const JsonReader& reader) {
  FORGE_TRY(const Json* array, reader.array("index"));
  std::vector<std::int64_t> index;
  for (const Json& element : elements_of(array)) {
    std::int64_t value = 0;
    if (!element.as_int(value)) return reader.error("index", "must hold integers only");
    index.push_back(value);
  }
  return index;
}

Json to_json(const WrongValue& value) {
  Json json = Json::object();
  json.set("shape", value.shape);
  json.set("group", value.group);
  json.set("output", value.output);
  json.set("index", index_to_json(value.index));
  json.set("expected", number_to_json(value.expected));
  json.set("got", number_to_json(value.got));
  json.set("error", number_to_json(value.error));
  json.set("tolerance", number_to_json(value.tolerance));
  json.set("wrong_elements", value.wrong_elements);
  json.set("elements", value.elements);
  json.set("detail", value.detail);
  return json;
}

Result<WrongValue> wrong_value_from_json(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.require_object());
  WrongValue value;
  FORGE_TRY(value.shape, reader.string("shape"));
  FORGE_TRY(value.group, reader.string("group"));
  FORGE_TRY(value.output, reader.string("output"));
  FORGE_TRY(value.index, index_from_json(reader));
  FORGE_TRY(value.expected, number_from_json(reader, "expected"));
  FORGE_TRY(value.got, number_from_json(reader, "got"));
  FORGE_TRY(value.error, number_from_json(reader, "error"));
  FORGE_TRY(value.tolerance, number_from_json(reader, "tolerance"));
  FORGE_TRY(value.wrong_elements, reader.integer("wrong_elements"));
  FORGE_TRY(value.elements, reader.integer("elements"));
  FORGE_TRY(value.detail, reader.string("detail"));
  return value;
}

Result<CandidateOutcome> wrong_from_json(const JsonReader& reader) {
  Wrong wrong;
  FORGE_TRY(const std::int64_t checked, reader.integer("checked"));
  wrong.checked = static_cast<int>(checked);
  FORGE_TRY(const Json* worst, reader.array("worst"));
  const Json::Array& values = elements_of(worst);
  for (std::size_t i = 0; i < values.size(); ++i) {
    FORGE_TRY(WrongValue value, wrong_value_from_json(reader.element("worst", i, values[i])));
    wrong.worst.push_back(std::move(value));
  }
  return CandidateOutcome(std::move(wrong));
}

// The outcomes that are one or two strings.
template <typename T>
Result<CandidateOutcome> at_shape(const JsonReader& reader) {
  T outcome;
  FORGE_TRY(outcome.shape, reader.string("shape"));
  FORGE_TRY(outcome.reason, reader.string("reason"));
  return CandidateOutcome(std::move(outcome));
}

template <typename T>
Result<CandidateOutcome> with_reason(const JsonReader& reader) {
  T outcome;
  FORGE_TRY(outcome.reason, reader.string("reason"));
  return CandidateOutcome(std::move(outcome));
}

Json tagged(std::string_view kind) {
  Json json = Json::object();
  json.set("kind", kind);
  return json;
}

std::string element_name(const WrongValue& value) {
  if (value.index.empty()) return value.output;
  std::string text = value.output + "[";
  for (std::size_t i = 0; i < value.index.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(value.index[i]);
  }
  return text + "]";
}

std::string explain_value(const WrongValue& value) {
  std::string text = fmt::format("shape '{}', group '{}': ", value.shape, value.group);
  if (!value.detail.empty()) return text + fmt::format("{}: {}.", value.output, value.detail);
  if (value.elements > 0) {
    text += fmt::format("{} of {} elements of {} are wrong; worst ", value.wrong_elements,
                        value.elements, value.output);
  }
  text += fmt::format("{} is {}, expected {}", element_name(value), number_text(value.got),
                      number_text(value.expected));
  if (std::isfinite(value.error)) {
    text += fmt::format(" (error {:.3g}, allowed {:.3g})", value.error, value.tolerance);
  } else if (value.tolerance == 0 && std::isfinite(value.got) && std::isfinite(value.expected)) {
    text += " (must match exactly)";
  } else {
    text += " (NaN and infinities must match in place and sign)";
  }
  return text + ".";
}

std::string explain_wrong(const Wrong& wrong) {
  const std::size_t failed = wrong.worst.size();
  std::string text = fmt::format("wrong in {}", failed);
  if (wrong.checked > 0) text += fmt::format(" of {}", wrong.checked);
  text += (wrong.checked > 0 ? wrong.checked : static_cast<int>(failed)) == 1 ? " case" : " cases";
  text += failed == 0 ? "." : ":";
  constexpr std::size_t kShown = 4;
  for (std::size_t i = 0; i < failed && i < kShown; ++i) {
    text += " " + explain_value(wrong.worst[i]);
  }
  if (failed > kShown) text += fmt::format(" And {} more.", failed - kShown);
  return text;
}

std::string at(std::string_view what, std::string_view shape, std::string_view reason) {
  if (shape.empty()) return fmt::format("{}: {}", what, reason);
  return fmt::format("{} on shape '{}': {}", what, shape, reason);
}

}  // namespace

std::string number_text(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{:.9g}", value);
}

std::string_view verdict_name(const CandidateOutcome& outcome) {
  return std::visit(
      Overloaded{
          [](const Passed&) { return "passed"; },
          [](const CompileError&) { return "compile_error"; },
          [](const LaunchError&) { return "launch_error"; },
          [](const TimeoutOutcome&) { return "timeout"; }, [](const Crash&) { return "crash"; },
          [](const Wrong&) { return "wrong"; }, [](const InputsModified&) { return "wrong"; },
          [](const Refused&) { return "refused"; }, [](const NoVerdict&) { return "no_verdict"; }},
      outcome);
}

std::string explain(const CandidateOutcome& outcome) {
  return std::visit(
      Overloaded{[](const Passed&) { return std::string(); },
                 [](const CompileError& o) { return "does not compile:\n" + o.log; },
                 [](const LaunchError& o) { return at("the launch failed", o.shape, o.reason); },
                 [](const TimeoutOutcome& o) { return at("took too long", o.shape, o.reason); },
                 [](const Crash& o) { return at("crashed", o.shape, o.reason); },
                 [](const Wrong& o) { return explain_wrong(o); },
                 [](const InputsModified& o) {
                   return fmt::format(
                       "input '{}' was modified on shape '{}'; inputs are read-only.", o.tensor,
                       o.shape);
                 },
                 [](const Refused& o) { return "refused: " + o.reason; },
                 [](const NoVerdict& o) { return "no verdict: " + o.reason; }},
      outcome);
}

Json to_json(const CandidateOutcome& outcome) {
  const auto reason = [](std::string_view kind, const std::string& text) {
    Json json = tagged(kind);
    json.set("reason", text);
    return json;
  };
  const auto shaped = [&](std::string_view kind, const auto& o) {
    Json json = reason(kind, o.reason);
    json.set("shape", o.shape);
    return json;
  };
  return std::visit(Overloaded{[](const Passed&) { return tagged("passed"); },
                               [](const CompileError& o) {
                                 Json json = tagged("compile_error");
                                 json.set("log", o.log);
                                 return json;
                               },
                               [&](const LaunchError& o) { return shaped("launch_error", o); },
                               [&](const TimeoutOutcome& o) { return shaped("timeout", o); },
                               [&](const Crash& o) { return shaped("crash", o); },
                               [](const Wrong& o) {
                                 Json json = tagged("wrong");
                                 json.set("checked", o.checked);
                                 Json worst = Json::array();
                                 for (const WrongValue& value : o.worst)
                                   worst.push_back(to_json(value));
                                 json.set("worst", std::move(worst));
                                 return json;
                               },
                               [](const InputsModified& o) {
                                 Json json = tagged("inputs_modified");
                                 json.set("shape", o.shape);
                                 json.set("tensor", o.tensor);
                                 return json;
                               },
                               [&](const Refused& o) { return reason("refused", o.reason); },
                               [&](const NoVerdict& o) { return reason("no_verdict", o.reason); }},
                    outcome);
}

Result<CandidateOutcome> outcome_from_json(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.require_object());
  FORGE_TRY(const std::string kind, reader.string("kind"));
  if (kind == "passed") return CandidateOutcome(Passed{});
  if (kind == "wrong") return wrong_from_json(reader);
  if (kind == "launch_error") return at_shape<LaunchError>(reader);
  if (kind == "timeout") return at_shape<TimeoutOutcome>(reader);
  if (kind == "crash") return at_shape<Crash>(reader);
  if (kind == "refused") return with_reason<Refused>(reader);
  if (kind == "no_verdict") return with_reason<NoVerdict>(reader);
  if (kind == "compile_error") {
    FORGE_TRY(std::string log, reader.string("log"));
    return CandidateOutcome(CompileError{std::move(log)});
  }
  if (kind == "inputs_modified") {
    InputsModified outcome;
    FORGE_TRY(outcome.shape, reader.string("shape"));
    FORGE_TRY(outcome.tensor, reader.string("tensor"));
    return CandidateOutcome(std::move(outcome));
  }
  return reader.error("kind", fmt::format("unknown outcome '{}'", kind));
}

}  // namespace forge
