#include "search/observation.h"

#include <algorithm>

namespace forge {
namespace {

Json trial_json(const std::vector<double>& trial) {
  Json json = Json::array();
  for (const double value : trial) json.push_back(value);
  return json;
}

Result<std::vector<double>> read_trial(const JsonReader& reader, std::size_t index,
                                       const Json& json) {
  const JsonReader trial = reader.element("trials", index, json);
  const auto* elements = json.as_array();
  if (elements == nullptr) return trial.error("", "must be an array");
  std::vector<double> values;
  for (const Json& element : *elements) {
    double value = 0;
    if (!element.as_number(value)) return trial.error("", "must hold numbers");
    values.push_back(value);
  }
  return values;
}

}  // namespace

Json to_json(const Observation& observation) {
  Json settings = Json::object();
  for (const auto& [name, value] : observation.settings) settings.set(name, value);
  Json trials = Json::array();
  for (const auto& trial : observation.trials) trials.push_back(trial_json(trial));
  return Json::object()
      .set("settings", std::move(settings))
      .set("job", observation.job)
      .set("failure", observation.failure)
      .set("artefact", observation.artefact)
      .set("trials", std::move(trials));
}

Result<Observation> observation_from_json(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.require_object());
  FORGE_TRY_STATUS(reader.only_keys({"settings", "job", "failure", "artefact", "trials"}));
  Observation observation;
  FORGE_TRY(const JsonReader settings, reader.object("settings"));
  const auto* members = settings.json().as_object();
  FORGE_CHECK(members != nullptr);
  for (const auto& [name, value] : *members) {
    FORGE_TRY(observation.settings[name], settings.string(name));
  }
  FORGE_TRY(const std::int64_t job, reader.integer("job"));
  observation.job = static_cast<int>(job);
  FORGE_TRY(observation.failure, reader.string("failure"));
  FORGE_TRY(observation.artefact, reader.string("artefact"));
  FORGE_TRY(const Json* trials, reader.array("trials"));
  const auto* elements = trials->as_array();
  FORGE_CHECK(elements != nullptr);
  for (std::size_t i = 0; i < elements->size(); ++i) {
    FORGE_TRY(auto trial, read_trial(reader, i, (*elements)[i]));
    observation.trials.push_back(std::move(trial));
  }
  return observation;
}

int measurements_of(const std::vector<Observation>& observations) {
  int count = 0;
  for (const Observation& observation : observations) {
    const auto trials = static_cast<int>(observation.trials.size());
    count += observation.failure.empty() ? trials : std::max(trials, 1);
  }
  return count;
}

}  // namespace forge
