#include "driver/search_space.h"

#include <fmt/format.h>

#include "base/text.h"
#include "run/paths.h"

namespace forge {
namespace {

std::string_view kind_name(TunableKind kind) {
  return kind == TunableKind::kStructure ? "structure" : "tuning";
}

// The best's value, or the current one where there is no best or it lacks the tunable.
std::string best_value(const State& state, const Tunable& tunable) {
  if (const auto* best = state.best()) {
    const auto found = best->started.settings.find(tunable.name);
    if (found != best->started.settings.end()) return found->second;
  }
  return tunable.default_value;
}

// What the last sweep of the best's space says, if it said anything.
const SweepEnded* advice(const State& state) {
  const auto* best = state.best();
  const auto* sweep = best == nullptr ? nullptr : state.sweep(best->started.space);
  return sweep == nullptr || !sweep->ended ? nullptr : &*sweep->ended;
}

double price_of(const SweepEnded& ended, const Tunable& tunable) {
  for (const TunablePrice& price : ended.prices) {
    if (price.tunable == tunable.name) return price.loss;
  }
  return 1;
}

Json json_of(const State& state, const Tunable& tunable) {
  Json values = Json::array();
  for (const auto& value : tunable.values) values.push_back(value);
  Json json = Json::object();
  json.set("name", tunable.name);
  json.set("kind", kind_name(tunable.kind));
  json.set("type", tunable.type);
  json.set("values", std::move(values));
  json.set("current", tunable.default_value);
  json.set("best", best_value(state, tunable));
  const SweepEnded* ended = advice(state);
  json.set("advised", ended == nullptr ? std::string() : value_of(ended->advised, tunable.name));
  json.set("price", ended == nullptr ? 1.0 : price_of(*ended, tunable));
  json.set("begin", std::uint64_t{tunable.default_begin});
  json.set("end", std::uint64_t{tunable.default_end});
  return json;
}

Json json_of(const Round& round) {
  Json settings = Json::object();
  for (const auto& [name, value] : round.started.settings) settings.set(name, value);
  const auto& versus = round.judged->vs_incumbent;
  Json json = Json::object();
  json.set("round", round.started.round);
  json.set("settings", std::move(settings));
  json.set("verdict", verdict_text(round.judged->verdict));
  json.set("comparison", versus ? comparison_name(versus->comparison) : std::string_view());
  json.set("is_best", round.judged->is_best);
  return json;
}

}  // namespace

std::vector<Tunable> tunables_of(std::string_view kernel) {
  auto tunables = scan_tunables(kernel, kKernelFile);
  return tunables ? std::move(*tunables) : std::vector<Tunable>();
}

Settings settings_of(const std::vector<Tunable>& tunables) {
  Settings settings;
  for (const auto& tunable : tunables) settings[tunable.name] = tunable.default_value;
  return settings;
}

Json search_space(const State& state, const std::vector<Tunable>& tunables) {
  Json space = Json::object();
  space.set("seed", state.created ? state.created->seed : std::uint64_t{0});
  Json declared = Json::array();
  for (const auto& tunable : tunables) declared.push_back(json_of(state, tunable));
  space.set("tunables", std::move(declared));
  Json tried = Json::array();
  for (const auto& round : state.rounds) {
    if (round.judged) tried.push_back(json_of(round));
  }
  space.set("tried", std::move(tried));
  return space;
}

std::string scout_findings(const BaselineMeasured& baseline, const std::vector<Tunable>& tunables) {
  auto text = fmt::format("{}: {}\n", baseline.opponent, baseline.description);
  for (const auto& time : baseline.times) {
    text += fmt::format("  {}: {}\n", time.shape, format_duration_ns(time.median_ns));
  }
  text += fmt::format("noise floor {:.1f} %\nthe start kernel declares {} decisions\n",
                      baseline.noise_floor * 100, tunables.size());
  for (const auto& tunable : tunables) {
    text += fmt::format("  {} {} = {} of {}\n", kind_name(tunable.kind), tunable.name,
                        tunable.default_value, join(tunable.values, ", "));
  }
  return text;
}

}  // namespace forge
