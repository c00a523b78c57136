#include "student/brief.h"

#include <fmt/format.h>

#include "base/template.h"
#include "base/text.h"
#include "run/paths.h"

extern "C" const char forge_student_prompt_begin[];
extern "C" const char forge_student_prompt_end[];

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

Json rounds_of(const State& state, const std::string& milestone, const std::string& row) {
  Json rounds = Json::array();
  for (const auto& round : state.rounds) {
    if (round.started.milestone != milestone || round.started.row != row || !round.judged) continue;
    Json json = Json::object();
    json.set("round", round.started.round);
    json.set("what", round.started.tried);
    json.set("verdict", fmt::format("{}{}", verdict_text(round.judged->verdict),
                                    ratio_text("reference", round.judged->vs_reference)));
    rounds.push_back(std::move(json));
  }
  return rounds;
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

std::string student_prompt(const State& state, const ProblemFacts& facts,
                           const Milestone& milestone, const Row& row) {
  Json data = Json::object();
  data.set("milestone", milestone.id);
  data.set("title", milestone.title);
  data.set("row", row.id);
  data.set("decision", row.decision);
  data.set("value", row.value);
  data.set("range", join(row.range, ", "));
  data.set("tunable", row.tunable);
  data.set("basis", row.basis);
  data.set("wrong_if", row.wrong_if);
  data.set("group", row.group);
  data.set("goal", fmt::format("{:g}", facts.goal_ratio));
  const auto* best = state.best();
  data.set("best", best == nullptr ? Json() : Json(best->started.round));
  data.set("feedback", feedback(state));
  Json tried = rounds_of(state, milestone.id, row.id);
  data.set("was_tried", !tried.as_array()->empty());
  data.set("tried", std::move(tried));
  data.set("failure", state.failure);
  return render_own_template(forge_student_prompt_begin, forge_student_prompt_end, data,
                             "prompts/student.md");
}

}  // namespace forge
