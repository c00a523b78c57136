#include "agent/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "base/text.h"

namespace forge {
namespace {

constexpr std::string_view kDocument = "the turn's brief";

Result<std::map<std::string, std::string>> read_strings(const JsonReader& reader,
                                                        std::string_view key) {
  FORGE_TRY(const JsonReader object, reader.object(key));
  std::map<std::string, std::string> values;
  const auto* members = object.json().as_object();
  if (members == nullptr) return reader.error(key, "must be an object");
  for (const auto& [name, value] : *members) {
    FORGE_TRY(values[name], object.string(name));
  }
  return values;
}

Result<SearchTunable> read_tunable(const JsonReader& reader) {
  SearchTunable tunable;
  FORGE_TRY(tunable.name, reader.string("name"));
  FORGE_TRY(const auto kind, reader.string("kind"));
  tunable.kind = kind == "structure" ? SearchKind::kStructure : SearchKind::kTuning;
  FORGE_TRY(const Json* values, reader.array("values"));
  const auto* elements = values->as_array();
  if (elements == nullptr) return reader.error("values", "must be an array");
  for (const auto& element : *elements) {
    const auto* text = element.as_string();
    if (text == nullptr) return reader.error("values", "must hold strings");
    tunable.values.push_back(*text);
  }
  FORGE_TRY(tunable.current, reader.string("current"));
  FORGE_TRY(tunable.best, reader.string("best"));
  FORGE_TRY(tunable.begin, reader.unsigned_integer("begin"));
  FORGE_TRY(tunable.end, reader.unsigned_integer("end"));
  return tunable;
}

Result<SearchAttempt> read_attempt(const JsonReader& reader) {
  SearchAttempt attempt;
  FORGE_TRY(attempt.settings, read_strings(reader, "settings"));
  FORGE_TRY(const auto verdict, reader.string("verdict"));
  FORGE_TRY(const auto comparison, reader.string("comparison"));
  attempt.was_slower = verdict == "passed" && comparison == "slower";
  return attempt;
}

template <typename T, typename Read>
Result<std::vector<T>> read_all(const JsonReader& reader, std::string_view key, Read read) {
  FORGE_TRY(const Json* array, reader.array(key));
  const auto* elements = array->as_array();
  if (elements == nullptr) return reader.error(key, "must be an array");
  std::vector<T> values;
  for (std::size_t i = 0; i < elements->size(); ++i) {
    FORGE_TRY(auto value, read(reader.element(key, i, (*elements)[i])));
    values.push_back(std::move(value));
  }
  return values;
}

// True and sorts `values` if all of them are numbers.
bool sort_as_numbers(std::vector<std::string>& values) {
  const auto is_number = [](const std::string& text) { return parse_number(text).has_value(); };
  if (!std::all_of(values.begin(), values.end(), is_number)) return false;
  std::stable_sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
    return *parse_number(a) < *parse_number(b);
  });
  return true;
}

const SearchAttempt* attempt_with(const SearchSpace& space, const SearchTunable& tunable,
                                  const std::string& value) {
  std::map<std::string, std::string> settings;
  for (const auto& each : space.tunables) settings[each.name] = each.best;
  settings[tunable.name] = value;
  for (const auto& attempt : space.tried) {
    if (attempt.settings == settings) return &attempt;
  }
  return nullptr;
}

// The first value in one direction from `from` that is untried, with its distance.
struct Found {
  std::string value;
  int distance = 0;
};
std::optional<Found> look_in_direction(const SearchSpace& space, const SearchTunable& tunable,
                                       const std::vector<std::string>& values, int from, int step) {
  const int count = static_cast<int>(values.size());
  for (int i = from + step; i >= 0 && i < count; i += step) {
    const auto& value = values[static_cast<std::size_t>(i)];
    const auto* attempt = attempt_with(space, tunable, value);
    if (attempt == nullptr) return Found{value, std::abs(i - from)};
    if (attempt->was_slower) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> next_number(const SearchSpace& space, const SearchTunable& tunable,
                                       const std::vector<std::string>& values) {
  const auto best = std::find(values.begin(), values.end(), tunable.best);
  const int from = static_cast<int>(best - values.begin());
  const auto up = look_in_direction(space, tunable, values, from, 1);
  const auto down = look_in_direction(space, tunable, values, from, -1);
  if (!up || !down) {
    if (!up && !down) return std::nullopt;
    return up ? up->value : down->value;
  }
  if (up->distance != down->distance)
    return up->distance < down->distance ? up->value : down->value;
  const bool up_first = Random(space.seed, tunable.name).below(2) == 0;
  return up_first ? up->value : down->value;
}

}  // namespace

const SearchTunable* SearchSpace::find(std::string_view name) const {
  for (const auto& tunable : tunables) {
    if (tunable.name == name) return &tunable;
  }
  return nullptr;
}

Result<SearchSpace> read_search_space(const Json& brief) {
  const JsonReader reader(brief, std::string(kDocument));
  SearchSpace space;
  FORGE_TRY(space.seed, reader.unsigned_integer("seed"));
  FORGE_TRY(space.tunables, read_all<SearchTunable>(reader, "tunables", read_tunable));
  FORGE_TRY(space.tried, read_all<SearchAttempt>(reader, "tried", read_attempt));
  return space;
}

std::optional<std::string> next_value(const SearchSpace& space, const SearchTunable& tunable) {
  auto values = tunable.values;
  const bool is_scale = tunable.kind == SearchKind::kTuning && sort_as_numbers(values);
  if (is_scale) return next_number(space, tunable, values);
  for (const auto& value : values) {
    const bool is_best = value == tunable.best;
    if (!is_best && attempt_with(space, tunable, value) == nullptr) return value;
  }
  return std::nullopt;
}

Result<std::string> edited_kernel(std::string source, const SearchSpace& space,
                                  const SearchTunable& tunable, std::string_view value) {
  auto order = space.tunables;
  // From the back, so that earlier byte ranges stay true.
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.begin > b.begin; });
  for (const auto& each : order) {
    const bool in_range = each.begin <= each.end && each.end <= source.size();
    if (!in_range || source.substr(each.begin, each.end - each.begin) != each.current) {
      return Error{ErrorKind::kInvalidInput, "cannot edit", "the kernel",
                   fmt::format("{} is not where the turn's brief says", each.name), ""};
    }
    const auto& text = each.name == tunable.name ? value : std::string_view(each.best);
    source.replace(each.begin, each.end - each.begin, text);
  }
  return source;
}

}  // namespace forge
