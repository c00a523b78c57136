#include "search/replay.h"

#include <algorithm>
#include <limits>

namespace forge {
namespace {

Result<std::vector<double>> numbers_of(const JsonReader& reader, std::string_view key,
                                       const Json& json) {
  const auto* elements = json.as_array();
  if (elements == nullptr) return reader.error(key, "must hold arrays");
  std::vector<double> values;
  for (const Json& element : *elements) {
    double value = 0;
    if (!element.as_number(value)) return reader.error(key, "must hold numbers");
    values.push_back(value);
  }
  return values;
}

Result<std::vector<std::vector<double>>> vectors_of(const JsonReader& reader,
                                                    std::string_view key) {
  FORGE_TRY(const Json* array, reader.array(key));
  std::vector<std::vector<double>> vectors;
  for (const Json& element : *array->as_array()) {
    FORGE_TRY(auto vector, numbers_of(reader, key, element));
    vectors.push_back(std::move(vector));
  }
  return vectors;
}

Result<Parameter> read_parameter(const JsonReader& reader) {
  Parameter parameter;
  FORGE_TRY(parameter.name, reader.string("name"));
  FORGE_TRY(const std::string kind, reader.string("kind"));
  parameter.kind = kind == "structure" ? ParameterKind::kStructure : ParameterKind::kTuning;
  FORGE_TRY(const std::int64_t shape_class, reader.integer("shape_class"));
  parameter.shape_class = static_cast<int>(shape_class);
  FORGE_TRY(const Json* values, reader.array("values"));
  for (const Json& value : *values->as_array()) {
    const auto* text = value.as_string();
    if (text == nullptr) return reader.error("values", "must hold strings");
    parameter.values.push_back(*text);
  }
  return parameter;
}

Point point_of(const std::vector<double>& values) {
  Point point;
  for (const double value : values) point.push_back(static_cast<std::uint16_t>(value));
  return point;
}

// A row that was not measured is the same program as one that was and has its times.
void name_artefacts(const std::vector<Point>& twins, RecordedSpace& recorded) {
  std::map<std::vector<double>, std::string> measured;
  for (const Point& point : recorded.points) {
    std::string name = std::to_string(recorded.artefacts.size());
    const bool is_twin = std::find(twins.begin(), twins.end(), point) != twins.end();
    if (!is_twin) measured.emplace(recorded.log_times[point], name);
    recorded.artefacts[point] = std::move(name);
  }
  for (const Point& point : twins) {
    const auto original = measured.find(recorded.log_times[point]);
    if (original != measured.end()) recorded.artefacts[point] = original->second;
  }
}

Status read_rows(const JsonReader& reader, RecordedSpace& recorded) {
  std::vector<Point> twins;
  FORGE_TRY(const Json* rows, reader.array("rows"));
  for (const Json& row : *rows->as_array()) {
    const auto* cells = row.as_array();
    if (cells == nullptr || cells->size() != 3) return reader.error("rows", "must hold triples");
    FORGE_TRY(const auto values, numbers_of(reader, "rows", (*cells)[0]));
    FORGE_TRY(auto times, numbers_of(reader, "rows", (*cells)[2]));
    if (times.empty()) continue;
    double count = 0;
    if (!(*cells)[1].as_number(count)) return reader.error("rows", "must hold counts");
    recorded.points.push_back(point_of(values));
    recorded.log_times[recorded.points.back()] = std::move(times);
    if (count == 0 && recorded.points.back() != recorded.space.start()) {
      twins.push_back(recorded.points.back());
    }
  }
  name_artefacts(twins, recorded);
  return {};
}

}  // namespace

double RecordedSpace::truth(const Point& point) const {
  const auto found = log_times.find(point);
  if (found == log_times.end()) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const double value : found->second) sum += value;
  return sum / static_cast<double>(found->second.size());
}

int looks_of(const std::vector<Observation>& observations) {
  int count = 0;
  for (const Observation& each : observations) {
    count += std::max(static_cast<int>(each.trials.size()), 1);
  }
  return count;
}

Result<RecordedSpace> read_recorded_space(FileReader& fs, const Path& file) {
  FORGE_TRY(const std::string text, fs.read(file));
  FORGE_TRY(const Json json, parse_json(text, file.string()));
  const JsonReader reader(json, file.string());
  RecordedSpace recorded;
  FORGE_TRY(recorded.name, reader.string("name"));
  FORGE_TRY(const Json* parameters, reader.array("parameters"));
  const auto& elements = *parameters->as_array();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    FORGE_TRY(auto parameter, read_parameter(reader.element("parameters", i, elements[i])));
    recorded.space.parameters.push_back(std::move(parameter));
  }
  FORGE_TRY(const Json* requirements, reader.array("requirements"));
  for (const Json& each : *requirements->as_array()) {
    if (auto condition = Condition::parse(*each.as_string())) {
      recorded.space.requirements.push_back(std::move(*condition));
    }
  }
  FORGE_TRY(const Json* classes, reader.array("shape_classes"));
  FORGE_TRY(const auto class_numbers, numbers_of(reader, "shape_classes", *classes));
  recorded.space.shape_classes.assign(class_numbers.begin(), class_numbers.end());
  FORGE_TRY(const Json* start, reader.array("start"));
  FORGE_TRY(const auto start_values, numbers_of(reader, "start", *start));
  for (std::size_t i = 0; i < start_values.size(); ++i) {
    recorded.space.parameters[i].start = static_cast<std::size_t>(start_values[i]);
  }
  FORGE_TRY_STATUS(read_rows(reader, recorded));
  FORGE_TRY(recorded.own_noise, vectors_of(reader, "own_noise"));
  FORGE_TRY(recorded.shared_noise, vectors_of(reader, "shared_noise"));
  recorded.best = std::numeric_limits<double>::infinity();
  for (const Point& point : recorded.points) {
    recorded.best = std::min(recorded.best, recorded.truth(point));
  }
  return recorded;
}

std::vector<Observation> Replay::measure(const std::vector<SearchRequest>& requests) {
  const auto draw = [this](const std::vector<std::vector<double>>& noise) {
    auto drawn = noise[random_.below(noise.size())];
    if (noise_ == ReplayNoise::kNone) std::fill(drawn.begin(), drawn.end(), 0);
    return drawn;
  };
  int most = 0;
  for (const SearchRequest& request : requests) most = std::max(most, request.trials);
  std::vector<std::vector<double>> shared;
  for (int trial = 0; trial < most; ++trial) shared.push_back(draw(recorded_.shared_noise));
  std::vector<Observation> observations;
  ++jobs_;
  for (const SearchRequest& request : requests) {
    Observation made{request.settings, jobs_, "", "", {}};
    const auto truth = recorded_.log_times.find(*recorded_.space.point(request.settings));
    if (truth == recorded_.log_times.end()) {
      made.failure = "does not work";
      observations.push_back(std::move(made));
      continue;
    }
    const Point point = truth->first;
    made.artefact = recorded_.artefacts.at(point);
    if (measured_.emplace(made.artefact, point).first->second == point) {
      for (int trial = 0; trial < request.trials; ++trial) {
        std::vector<double> values = draw(recorded_.own_noise);
        for (std::size_t shape = 0; shape < values.size(); ++shape) {
          values[shape] = -(truth->second[shape] + values[shape] +
                            shared[static_cast<std::size_t>(trial)][shape]);
        }
        made.trials.push_back(std::move(values));
      }
    }
    observations.push_back(std::move(made));
  }
  return observations;
}

}  // namespace forge
