#include "cli/tuning_store.h"

#include <algorithm>

#include "base/text.h"

namespace forge {
namespace {

using Settings = std::map<std::string, std::string>;

Json to_json(const TuningRecord& record) {
  Json origin = Json::object();
  for (const auto& [name, value] : record.origin) origin.set(name, value);
  Json observations = Json::array();
  for (const Observation& each : record.observations) observations.push_back(to_json(each));
  return Json::object()
      .set("format", 1)
      .set("origin", std::move(origin))
      .set("observations", std::move(observations));
}

Result<TuningRecord> record_from_line(const std::string& line, const std::string& document) {
  FORGE_TRY(const Json json, parse_json(line, document));
  const JsonReader reader(json, document);
  FORGE_TRY_STATUS(reader.only_keys({"format", "origin", "observations"}));
  FORGE_TRY(const std::int64_t format, reader.integer("format"));
  if (format != 1) return reader.error("format", "is of another version");
  TuningRecord record;
  FORGE_TRY(const JsonReader origin, reader.object("origin"));
  const auto* members = origin.json().as_object();
  FORGE_CHECK(members != nullptr);
  for (const auto& [name, value] : *members) {
    FORGE_TRY(record.origin[name], origin.string(name));
  }
  FORGE_TRY(const Json* observations, reader.array("observations"));
  const auto* elements = observations->as_array();
  FORGE_CHECK(elements != nullptr);
  for (std::size_t i = 0; i < elements->size(); ++i) {
    FORGE_TRY(auto observation,
              observation_from_json(reader.element("observations", i, (*elements)[i])));
    record.observations.push_back(std::move(observation));
  }
  return record;
}

// Whole lines; `whole_bytes` is where they end.
Result<std::vector<TuningRecord>> read_records(const std::string& text, const Path& file,
                                               std::size_t& whole_bytes) {
  whole_bytes = text.rfind('\n') + 1;  // 0 if there is no line
  std::vector<TuningRecord> records;
  for (const std::string& line : split_lines(std::string_view(text).substr(0, whole_bytes))) {
    FORGE_TRY(auto record, record_from_line(line, file.string()));
    records.push_back(std::move(record));
  }
  return records;
}

using Values = std::vector<double>;

void add_to(Values& sum, const Values& values, double factor) {
  sum.resize(std::max(sum.size(), values.size()), 0);
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += factor * values[i];
}

// The mean by shape of what was measured of `settings` beside `origin`; empty: nothing was.
Values mean_of(const std::vector<TuningRecord>& records, const Settings& origin,
               const Settings& settings) {
  Values sum;
  int trials = 0;
  for (const TuningRecord& record : records) {
    if (record.origin != origin) continue;
    for (const Observation& each : record.observations) {
      if (each.settings != settings) continue;
      for (const Values& trial : each.trials) add_to(sum, trial, 1);
      trials += static_cast<int>(each.trials.size());
    }
  }
  for (double& value : sum) value /= trials;
  return sum;
}

double mean(const Values& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

struct Rated {
  Point point;
  double value = 0;
};

// What a kernel's records say of points of this space, the best first.
std::vector<Rated> rated_points(const std::vector<TuningRecord>& records, const Space& space) {
  std::map<Point, std::pair<double, int>> sums;
  for (const TuningRecord& record : records) {
    if (record.origin != records.front().origin) continue;
    for (const Observation& each : record.observations) {
      const auto point = space.point(each.settings);
      if (!point || !each.failure.empty()) continue;
      for (const Values& trial : each.trials) {
        sums[*point].first += mean(trial);
        ++sums[*point].second;
      }
    }
  }
  std::vector<Rated> rated;
  for (const auto& [point, sum] : sums) rated.push_back({point, sum.first / sum.second});
  std::stable_sort(rated.begin(), rated.end(),
                   [](const Rated& a, const Rated& b) { return a.value > b.value; });
  return rated;
}

}  // namespace

Path tuning_file(const Path& cache, const std::string& machine, const std::string& space) {
  return cache / "tunings" / machine / (space + ".jsonl");
}

Result<TuningStore> TuningStore::open(Fs& fs, const Path& file, std::string_view holder) {
  FORGE_TRY_STATUS(fs.make_directories(file.parent_path()));
  FORGE_TRY(auto lock, fs.try_lock(Path(file).concat(".lock"), holder));
  std::vector<TuningRecord> records;
  if (fs.exists(file)) {
    FORGE_TRY(const std::string text, fs.read(file));
    std::size_t whole_bytes = 0;
    auto read = read_records(text, file, whole_bytes);
    if (read) records = std::move(*read);
    if (!read || whole_bytes < text.size()) {
      FORGE_TRY_STATUS(fs.truncate(file, read ? whole_bytes : 0));
    }
  }
  FORGE_TRY(auto appended, fs.open_append(file));
  return TuningStore(std::move(lock), std::move(records), std::move(appended));
}

int TuningStore::last_job() const {
  int last = 0;
  for (const TuningRecord& record : records_) {
    for (const Observation& each : record.observations) last = std::max(last, each.job);
  }
  return last;
}

Status TuningStore::append(TuningRecord record) {
  FORGE_TRY_STATUS(file_->append(to_json(record).dump() + "\n"));
  FORGE_TRY_STATUS(file_->sync());
  records_.push_back(std::move(record));
  return {};
}

std::vector<Observation> relative_to(const std::vector<TuningRecord>& records,
                                     const Settings& origin) {
  std::vector<Observation> observations;
  for (const TuningRecord& record : records) {
    const bool same = record.origin == origin;
    const Values shift = same ? Values() : mean_of(records, record.origin, origin);
    if (!same && shift.empty()) continue;
    for (Observation each : record.observations) {
      for (Values& trial : each.trials) add_to(trial, shift, -1);
      observations.push_back(std::move(each));
    }
  }
  return observations;
}

std::vector<Point> points_from_others(Fs& fs, const Path& file, const Space& space,
                                      std::size_t most) {
  std::vector<std::vector<Rated>> kernels;
  const auto names = fs.list(file.parent_path());
  for (const std::string& name : names ? *names : std::vector<std::string>()) {
    if (name == file.filename().string() || !name.ends_with(".jsonl")) continue;
    const Path other = file.parent_path() / name;
    const auto text = fs.read(other);
    std::size_t whole_bytes = 0;
    const auto records = text ? read_records(*text, other, whole_bytes)
                              : Result<std::vector<TuningRecord>>(text.error());
    if (records && !records->empty()) kernels.push_back(rated_points(*records, space));
  }
  std::vector<Point> points;
  for (std::size_t rank = 0; rank < most; ++rank) {
    for (const auto& rated : kernels) {
      if (rank >= rated.size() || points.size() >= most) continue;
      const Point& point = rated[rank].point;
      if (space.allows(point) && std::find(points.begin(), points.end(), point) == points.end()) {
        points.push_back(point);
      }
    }
  }
  return points;
}

}  // namespace forge
