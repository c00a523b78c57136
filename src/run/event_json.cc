// Events as JSON. Each type lists its fields once, in `fields`; FieldWriter and FieldReader walk
// the same list, so that what is written can be read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "run/event.h"

namespace forge {
namespace {

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};
template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

std::string_view text_of_enum(Verdict value) { return verdict_text(value); }
std::string_view text_of_enum(Trigger value) { return trigger_text(value); }
std::string_view text_of_enum(GateOutcome value) { return gate_outcome_text(value); }
std::string_view text_of_enum(ForgeEnd value) { return forge_end_text(value); }
std::string_view text_of_enum(Ending value) { return ending_text(value); }
std::string_view text_of_enum(Comparison value) { return comparison_name(value); }

std::optional<Verdict> enum_of_text(Verdict, std::string_view text) { return parse_verdict(text); }
std::optional<Trigger> enum_of_text(Trigger, std::string_view text) { return parse_trigger(text); }
std::optional<GateOutcome> enum_of_text(GateOutcome, std::string_view text) {
  return parse_gate_outcome(text);
}
std::optional<ForgeEnd> enum_of_text(ForgeEnd, std::string_view text) {
  return parse_forge_end(text);
}
std::optional<Ending> enum_of_text(Ending, std::string_view text) { return parse_ending(text); }
std::optional<Comparison> enum_of_text(Comparison, std::string_view text) {
  return parse_comparison(text);
}

template <typename A>
void fields(A& a, Usage& v) {
  a("input_tokens", v.input_tokens);
  a("output_tokens", v.output_tokens);
  a("cost", v.cost);
  a("seconds", v.seconds);
}

template <typename A>
void fields(A& a, TurnNote& v) {
  a("number", v.turn);
  a("note", v.note);
  a("usage", v.usage);
}

template <typename A>
void fields(A& a, Interval& v) {
  a("point", v.point);
  a("low", v.low);
  a("high", v.high);
}

template <typename A>
void fields(A& a, MeasuredRatio& v) {
  a("ratio", v.ratio);
  a("comparison", v.comparison);
  a("trials", v.trials);
}

template <typename A>
void fields(A& a, ShapeTime& v) {
  a("shape", v.shape);
  a("median_ns", v.median_ns);
}

template <typename A>
void fields(A& a, MilestoneOutline& v) {
  a("id", v.id);
  a("digest", v.digest);
  a("rows", v.rows);
  a("gates", v.gates);
}

template <typename A>
void fields(A& a, OpponentRatio& v) {
  a("opponent", v.opponent);
  a("measured", v.measured);
}

template <typename A>
void fields(A& a, RunCreated& v) {
  a("problem", v.problem);
  a("target", v.target);
  a("problem_digest", v.problem_digest);
  a("seed", v.seed);
  a("tool", v.tool);
  a("backend", v.backend);
  a("model", v.model);
  a("boundary", v.boundary);
}

template <typename A>
void fields(A& a, Prepared& v) {
  a("commit", v.commit);
  a("source", v.source);
}

template <typename A>
void fields(A& a, JudgeFrozen& v) {
  a("job", v.job);
  a("digest", v.digest);
  a("author", v.author);
  a("oracle", v.oracle);
  a("tolerance", v.tolerance);
}

template <typename A>
void fields(A& a, BaselineMeasured& v) {
  a("job", v.job);
  a("opponent", v.opponent);
  a("description", v.description);
  a("times", v.times);
  a("noise_floor", v.noise_floor);
  a("machine_sd", v.machine_sd);
  a("unsteady", v.unsteady);
}

template <typename A>
void fields(A& a, Scouted& v) {
  a("findings", v.findings);
}

template <typename A>
void fields(A& a, MilestonesWritten& v) {
  a("version", v.version);
  a("milestones", v.milestones);
  a("turn", v.turn);
}

template <typename A>
void fields(A& a, RoundStarted& v) {
  a("round", v.round);
  a("milestone", v.milestone);
  a("row", v.row);
  a("job", v.job);
  a("parent", v.parent);
  a("commit", v.commit);
  a("source", v.source);
  a("tried", v.tried);
  a("settings", v.settings);
  a("turn", v.turn);
}

template <typename A>
void fields(A& a, RoundJudged& v) {
  a("round", v.round);
  a("verdict", v.verdict);
  a("reason", v.reason);
  a("artefact", v.artefact);
  a("vs_reference", v.vs_reference);
  a("vs_incumbent", v.vs_incumbent);
  a("is_best", v.is_best);
  a("reused_from", v.reused_from);
}

template <typename A>
void fields(A& a, RolledBack& v) {
  a("round", v.round);
  a("commit", v.commit);
}

template <typename A>
void fields(A& a, RowClosed& v) {
  a("milestone", v.milestone);
  a("row", v.row);
  a("reason", v.reason);
  a("turn", v.turn);
}

template <typename A>
void fields(A& a, GateEvaluated& v) {
  a("milestone", v.milestone);
  a("gate", v.gate);
  a("outcome", v.outcome);
  a("detail", v.detail);
}

template <typename A>
void fields(A& a, MilestoneClosed& v) {
  a("milestone", v.milestone);
}

template <typename A>
void fields(A& a, TeacherEntered& v) {
  a("trigger", v.trigger);
  a("detail", v.detail);
}

template <typename A>
void fields(A& a, TurnFailedEvent& v) {
  a("role", v.role);
  a("row", v.row);
  a("turn", v.turn);
}

template <typename A>
void fields(A& a, ForgeEnded& v) {
  a("why", v.why);
  a("detail", v.detail);
  a("turn", v.turn);
}

template <typename A>
void fields(A& a, Confirmed& v) {
  a("job", v.job);
  a("round", v.round);
  a("verdict", v.verdict);
  a("reason", v.reason);
  a("ratios", v.ratios);
  a("goal_met", v.goal_met);
}

template <typename A>
void fields(A& a, Finished& v) {
  a("ending", v.ending);
  a("why", v.why);
}

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
    } else if constexpr (std::is_same_v<T, Settings>) {
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
    } else if constexpr (std::is_same_v<T, Settings>) {
      read_settings(json, value, name);
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

  void read_settings(const Json& json, Settings& value, std::string_view name) {
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

template <typename T>
constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<T, RunCreated>) return "run_created";
  if constexpr (std::is_same_v<T, Prepared>) return "prepared";
  if constexpr (std::is_same_v<T, JudgeFrozen>) return "judge_frozen";
  if constexpr (std::is_same_v<T, BaselineMeasured>) return "baseline_measured";
  if constexpr (std::is_same_v<T, Scouted>) return "scouted";
  if constexpr (std::is_same_v<T, MilestonesWritten>) return "milestones_written";
  if constexpr (std::is_same_v<T, RoundStarted>) return "round_started";
  if constexpr (std::is_same_v<T, RoundJudged>) return "round_judged";
  if constexpr (std::is_same_v<T, RolledBack>) return "rolled_back";
  if constexpr (std::is_same_v<T, RowClosed>) return "row_closed";
  if constexpr (std::is_same_v<T, GateEvaluated>) return "gate_evaluated";
  if constexpr (std::is_same_v<T, MilestoneClosed>) return "milestone_closed";
  if constexpr (std::is_same_v<T, TeacherEntered>) return "teacher_entered";
  if constexpr (std::is_same_v<T, TurnFailedEvent>) return "turn_failed";
  if constexpr (std::is_same_v<T, ForgeEnded>) return "forge_ended";
  if constexpr (std::is_same_v<T, Confirmed>) return "confirmed";
  if constexpr (std::is_same_v<T, Finished>) return "finished";
}

// Tries the variant's types one after the other until `type` names one.
template <std::size_t I = 0>
Result<Event> read_event(std::string_view type, const Json& data, const std::string& document) {
  if constexpr (I == std::variant_size_v<Event>) {
    return Error{ErrorKind::kCorrupt, "cannot read", document,
                 fmt::format("unknown event '{}'", type), "it was written by another version"};
  } else {
    using T = std::variant_alternative_t<I, Event>;
    if (type != type_name<T>()) return read_event<I + 1>(type, data, document);
    T value{};
    FieldReader reader(data, document, "data");
    fields(reader, value);
    if (auto error = reader.finish()) return std::move(*error);
    return Event(std::move(value));
  }
}

}  // namespace

std::string_view event_type(const Event& event) {
  return std::visit([](const auto& value) { return type_name<std::decay_t<decltype(value)>>(); },
                    event);
}

Json event_data(const Event& event) {
  return std::visit(
      [](auto value) {
        FieldWriter writer;
        fields(writer, value);
        return writer.take();
      },
      event);
}

Result<Event> event_from_json(std::string_view type, const Json& data,
                              const std::string& document) {
  return read_event(type, data, document);
}

}  // namespace forge
