#include "run/milestone.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/digest.h"
#include "base/text.h"
#include "base/toml_quote.h"
#include "run/toml_json.h"

namespace forge {
namespace {

constexpr std::string_view kCorrect = "correct";
constexpr std::string_view kNotSlower = "not slower than start";
constexpr std::string_view kRatio = "ratio >=";

bool is_metric(std::string_view text) {
  for (const auto& part : split(text, '.')) {
    if (!is_identifier(part)) return false;
  }
  return !text.empty();
}

std::optional<MechanismGate> parse_mechanism(std::string_view text) {
  // Two-character comparisons first: "<" is the beginning of "<=".
  static constexpr std::array<std::string_view, 6> kComparisons = {
      "==", "!=", "<=", ">=", "<", ">"};
  for (const auto comparison : kComparisons) {
    const auto at = text.find(comparison);
    if (at == std::string_view::npos) continue;
    const auto metric = trim(text.substr(0, at));
    const auto bound = trim(text.substr(at + comparison.size()));
    if (!is_metric(metric) || bound.empty()) return std::nullopt;
    return MechanismGate{std::string(metric), std::string(comparison), std::string(bound)};
  }
  return std::nullopt;
}

Result<std::vector<std::string>> strings(const JsonReader& reader, std::string_view key) {
  std::vector<std::string> values;
  if (!reader.has(key)) return values;
  FORGE_TRY(const Json* array, reader.array(key));
  const auto* elements = array->as_array();
  FORGE_CHECK(elements != nullptr);
  for (const auto& element : *elements) {
    const auto* text = element.as_string();
    if (text == nullptr) return reader.error(key, "must hold strings");
    values.push_back(*text);
  }
  return values;
}

Result<std::string> optional_string(const JsonReader& reader, std::string_view key) {
  return reader.has(key) ? reader.string(key) : Result<std::string>(std::string());
}

Result<Row> parse_row(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.require_object());
  FORGE_TRY_STATUS(reader.only_keys(
      {"id", "decision", "value", "range", "basis", "wrong_if", "needs", "group", "tunable"}));
  Row row;
  FORGE_TRY(row.id, reader.string("id"));
  FORGE_TRY(row.decision, reader.string("decision"));
  FORGE_TRY(row.value, optional_string(reader, "value"));
  FORGE_TRY(row.range, strings(reader, "range"));
  FORGE_TRY(row.basis, optional_string(reader, "basis"));
  FORGE_TRY(row.wrong_if, optional_string(reader, "wrong_if"));
  FORGE_TRY(row.needs, strings(reader, "needs"));
  FORGE_TRY(row.group, optional_string(reader, "group"));
  FORGE_TRY(row.tunable, optional_string(reader, "tunable"));
  return row;
}

std::string quoted_list(const std::vector<std::string>& values) {
  std::vector<std::string> quoted;
  for (const auto& value : values) quoted.push_back(toml_quote(value));
  return fmt::format("[{}]", join(quoted, ", "));
}

std::string write_row(const Row& row) {
  std::string text = fmt::format("\n[[rows]]\nid = {}\ndecision = {}\n", toml_quote(row.id),
                                 toml_quote(row.decision));
  const auto add = [&text](std::string_view key, const std::string& value) {
    if (!value.empty()) text += fmt::format("{} = {}\n", key, toml_quote(value));
  };
  add("value", row.value);
  if (!row.range.empty()) text += fmt::format("range = {}\n", quoted_list(row.range));
  add("basis", row.basis);
  add("wrong_if", row.wrong_if);
  if (!row.needs.empty()) text += fmt::format("needs = {}\n", quoted_list(row.needs));
  add("group", row.group);
  add("tunable", row.tunable);
  return text;
}

}  // namespace

const Row* Milestone::row(std::string_view row_id) const {
  for (const auto& candidate : rows) {
    if (candidate.id == row_id) return &candidate;
  }
  return nullptr;
}

std::string gate_text(const Gate& gate) {
  if (std::holds_alternative<CorrectGate>(gate)) return std::string(kCorrect);
  if (std::holds_alternative<NotSlowerGate>(gate)) return std::string(kNotSlower);
  if (const auto* ratio = std::get_if<RatioGate>(&gate)) {
    return fmt::format("{} {}", kRatio, ratio->minimum);
  }
  const auto& mechanism = std::get<MechanismGate>(gate);
  return fmt::format("{} {} {}", mechanism.metric, mechanism.comparison, mechanism.bound);
}

Result<Gate> parse_gate(std::string_view text, std::string_view object) {
  text = trim(text);
  if (text == kCorrect) return Gate(CorrectGate{});
  if (text == kNotSlower) return Gate(NotSlowerGate{});
  if (text.starts_with(kRatio)) {
    const auto minimum = parse_number(trim(text.substr(kRatio.size())));
    if (minimum && *minimum > 0) return Gate(RatioGate{*minimum});
  } else if (auto mechanism = parse_mechanism(text); mechanism && mechanism->metric != "ratio") {
    return Gate(std::move(*mechanism));
  }
  return Error{ErrorKind::kInvalidInput, "cannot read", std::string(object),
               fmt::format("'{}' is no gate", text),
               "write \"correct\", \"not slower than start\", \"ratio >= 1.2\" or a predicate "
               "such as \"spill_bytes == 0\""};
}

Result<Milestone> parse_milestone(std::string_view text, std::string_view object) {
  FORGE_TRY(const Json json, toml_to_json(text, object));
  const JsonReader reader(json, std::string(object));
  FORGE_TRY_STATUS(reader.only_keys({"id", "title", "gates", "rows"}));
  Milestone milestone;
  FORGE_TRY(milestone.id, reader.string("id"));
  FORGE_TRY(milestone.title, reader.string("title"));
  FORGE_TRY(const auto gates, strings(reader, "gates"));
  for (const auto& gate : gates) {
    FORGE_TRY(auto parsed, parse_gate(gate, object));
    milestone.gates.push_back(std::move(parsed));
  }
  if (!reader.has("rows")) return milestone;
  FORGE_TRY(const Json* array, reader.array("rows"));
  const auto* rows = array->as_array();
  FORGE_CHECK(rows != nullptr);
  for (std::size_t i = 0; i < rows->size(); ++i) {
    FORGE_TRY(auto row, parse_row(reader.element("rows", i, (*rows)[i])));
    milestone.rows.push_back(std::move(row));
  }
  return milestone;
}

std::string write_milestone(const Milestone& milestone) {
  std::vector<std::string> gates;
  for (const auto& gate : milestone.gates) gates.push_back(gate_text(gate));
  auto text = fmt::format("id = {}\ntitle = {}\ngates = {}\n", toml_quote(milestone.id),
                          toml_quote(milestone.title), quoted_list(gates));
  for (const auto& row : milestone.rows) text += write_row(row);
  return text;
}

std::vector<std::string> row_order(const Milestone& milestone) {
  std::vector<std::string> order;
  const auto placed = [&order](const std::string& id) {
    return std::find(order.begin(), order.end(), id) != order.end();
  };
  while (order.size() < milestone.rows.size()) {
    const auto before = order.size();
    for (const auto& row : milestone.rows) {
      const auto ready = [&](const std::string& need) {
        return milestone.row(need) == nullptr || placed(need);
      };
      if (!placed(row.id) && std::all_of(row.needs.begin(), row.needs.end(), ready)) {
        order.push_back(row.id);
        break;  // from the top again, so that rows stay as close to their order as they can
      }
    }
    if (order.size() == before) break;  // a cycle, which lint names
  }
  return order;
}

MilestoneOutline outline(const Milestone& milestone, std::string_view text) {
  MilestoneOutline result{milestone.id, digest_of(text).hex, row_order(milestone), {}};
  for (const auto& gate : milestone.gates) result.gates.push_back(gate_text(gate));
  return result;
}

}  // namespace forge
