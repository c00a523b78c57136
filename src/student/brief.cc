#include "student/brief.h"

#include <fmt/format.h>

#include "base/text.h"
#include "run/paths.h"

namespace forge {
namespace {

Json json_of(const Row& row) {
  Json json = Json::object();
  json.set("id", row.id);
  json.set("decision", row.decision);
  json.set("value", row.value);
  Json range = Json::array();
  for (const auto& value : row.range) range.push_back(value);
  json.set("range", std::move(range));
  json.set("basis", row.basis);
  json.set("wrong_if", row.wrong_if);
  json.set("group", row.group);
  json.set("tunable", row.tunable);
  return json;
}

std::string ratio_text(std::string_view opponent, const std::optional<MeasuredRatio>& measured) {
  if (!measured) return {};
  return fmt::format("; {} over candidate {:.3f} [{:.3f}, {:.3f}], {}", opponent,
                     measured->ratio.point, measured->ratio.low, measured->ratio.high,
                     comparison_name(measured->comparison));
}

}  // namespace

std::string feedback(const State& state) {
  if (state.rounds.empty() || !state.rounds.back().judged) return {};
  const auto& last = state.rounds.back();
  auto text = fmt::format("round {} ({}): {}", last.started.round, last.started.tried,
                          verdict_text(last.judged->verdict));
  text += ratio_text("reference", last.judged->vs_reference);
  text += ratio_text("best so far", last.judged->vs_incumbent);
  if (last.judged->is_best) text += "; it is the new best";
  if (is_unusable(last.judged->verdict)) text += "; rolled back";
  if (!last.judged->reason.empty()) text += "\n" + last.judged->reason;
  return text;
}

Json student_brief(const State& state, const Milestone& milestone, const Row& row, int round,
                   Json search) {
  Json brief = Json::object();
  brief.set("format", 1);
  brief.set("task", "row");
  brief.set("round", round);
  brief.set("milestone", milestone.id);
  brief.set("row", json_of(row));
  brief.set("file", kKernelFile);
  brief.set("feedback", feedback(state));
  if (const auto* members = search.as_object()) {
    for (const auto& [key, value] : *members) brief.set(key, value);
  }
  return brief;
}

std::string student_prompt(const State& state, const Milestone& milestone, const Row& row) {
  auto text = fmt::format("# {}: {}\n\nImplement row {} in {} and nothing else.\n\n", milestone.id,
                          milestone.title, row.id, kKernelFile);
  text += fmt::format("Decision: {}\n", row.decision);
  if (!row.value.empty()) text += fmt::format("Value: {}\n", row.value);
  if (!row.range.empty()) text += fmt::format("Choose from: {}\n", join(row.range, ", "));
  if (!row.basis.empty()) text += fmt::format("Basis: {}\n", row.basis);
  if (!row.wrong_if.empty()) text += fmt::format("Wrong if: {}\n", row.wrong_if);
  if (const auto last = feedback(state); !last.empty()) {
    text += fmt::format("\n## The last candidate\n\n{}\n", last);
  }
  return text;
}

}  // namespace forge
