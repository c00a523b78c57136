#include "report/run_summary.h"

namespace forge {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kEndBytes = 24;

// Of the confirmation if there is one, else of the best round's own job.
void add_ratio(const State& state, RunSummary& summary) {
  const Round* best = state.best();
  if (const MeasuredRatio* confirmed = state.confirmed_ratio()) {
    summary.ratio = confirmed->ratio;
    summary.confirmed = true;
  } else if (best != nullptr && best->judged && best->judged->vs_reference) {
    summary.ratio = best->judged->vs_reference->ratio;
  }
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json to_json(const Interval& ratio) {
  return Json::object().set("point", ratio.point).set("low", ratio.low).set("high", ratio.high);
}

Result<std::string> read_text(const JsonReader& reader, std::string_view key) {
  const Json* value = reader.json().find(key);
  if (value != nullptr && value->is_null()) return std::string();
  return reader.string(key);
}

Result<std::optional<Interval>> read_ratio(const JsonReader& reader) {
  const Json* value = reader.json().find("ratio");
  if (value != nullptr && value->is_null()) return std::optional<Interval>();
  FORGE_TRY(const JsonReader ratio, reader.object("ratio"));
  Interval interval;
  FORGE_TRY(interval.point, ratio.number("point"));
  FORGE_TRY(interval.low, ratio.number("low"));
  FORGE_TRY(interval.high, ratio.number("high"));
  return std::optional<Interval>(interval);
}

std::string_view end_of(std::string_view journal) {
  return journal.substr(journal.size() - std::min(journal.size(), kEndBytes));
}

}  // namespace

RunSummary summarise(const State& state) {
  RunSummary summary;
  summary.stage = stage_text(state.stage());
  if (state.finished) summary.ending = ending_text(state.finished->ending);
  if (const auto* milestone = state.current_milestone()) {
    summary.milestone = milestone->outline.id;
  }
  summary.rounds = static_cast<int>(state.rounds.size());
  if (!state.rounds.empty()) summary.row = state.rounds.back().started.row;
  if (const auto* judged = state.last_judged()) {
    summary.last_verdict = verdict_text(judged->verdict);
  }
  add_ratio(state, summary);
  summary.elapsed_s = state.elapsed_s;
  summary.last_event_at = state.last_event_at;
  summary.forge_began_s = state.forge_began_s;
  return summary;
}

RunSummary unreadable(const Error& error) {
  RunSummary summary;
  summary.stage = "unreadable";
  summary.error = error.message();
  return summary;
}

Json to_json(const RunSummary& summary) {
  Json json = Json::object();
  json.set("stage", summary.stage);
  json.set("ending", text_or_null(summary.ending));
  json.set("error", text_or_null(summary.error));
  json.set("milestone", text_or_null(summary.milestone));
  json.set("row", text_or_null(summary.row));
  json.set("rounds", summary.rounds);
  json.set("last_verdict", text_or_null(summary.last_verdict));
  json.set("ratio", summary.ratio ? to_json(*summary.ratio) : Json());
  json.set("confirmed", summary.confirmed);
  json.set("elapsed_s", summary.elapsed_s);
  json.set("last_event_at", text_or_null(summary.last_event_at));
  json.set("forge_began_s", summary.forge_began_s ? Json(*summary.forge_began_s) : Json());
  return json;
}

Result<RunSummary> run_summary_from_json(const Json& json, std::string_view document) {
  const JsonReader reader(json, std::string(document));
  FORGE_TRY_STATUS(reader.require_object());
  RunSummary summary;
  FORGE_TRY(summary.stage, reader.string("stage"));
  FORGE_TRY(summary.ending, read_text(reader, "ending"));
  FORGE_TRY(summary.error, read_text(reader, "error"));
  FORGE_TRY(summary.milestone, read_text(reader, "milestone"));
  FORGE_TRY(summary.row, read_text(reader, "row"));
  FORGE_TRY(const std::int64_t rounds, reader.integer("rounds"));
  summary.rounds = static_cast<int>(rounds);
  FORGE_TRY(summary.last_verdict, read_text(reader, "last_verdict"));
  FORGE_TRY(summary.ratio, read_ratio(reader));
  FORGE_TRY(summary.confirmed, reader.boolean("confirmed"));
  FORGE_TRY(summary.elapsed_s, reader.number("elapsed_s"));
  FORGE_TRY(summary.last_event_at, read_text(reader, "last_event_at"));
  if (const Json* began = json.find("forge_began_s"); began != nullptr && !began->is_null()) {
    FORGE_TRY(summary.forge_began_s, reader.number("forge_began_s"));
  }
  return summary;
}

std::string kept_summary(const RunSummary& summary, std::string_view journal) {
  Json json = Json::object();
  json.set("version", kVersion);
  json.set("journal_bytes", static_cast<std::int64_t>(journal.size()));
  json.set("journal_end", std::string(end_of(journal)));
  json.set("summary", to_json(summary));
  return json.dump() + "\n";
}

std::optional<RunSummary> take_kept_summary(std::string_view kept, std::string_view journal) {
  const auto json = parse_json(kept, "status.json");
  if (!json) return std::nullopt;
  const JsonReader reader(*json, "status.json");
  if (!reader.require_object()) return std::nullopt;
  const auto version = reader.integer("version");
  const auto bytes = reader.integer("journal_bytes");
  const auto end = reader.string("journal_end");
  const Json* summary = json->find("summary");
  if (!version || *version != kVersion || !bytes || !end || summary == nullptr) return std::nullopt;
  if (*bytes != static_cast<std::int64_t>(journal.size()) || *end != end_of(journal)) {
    return std::nullopt;
  }
  auto taken = run_summary_from_json(*summary, "status.json");
  if (!taken) return std::nullopt;
  return std::move(*taken);
}

}  // namespace forge
