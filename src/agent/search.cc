#include "agent/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::string_view kDocument = "the turn's brief";

Result<SearchTunable> read_tunable(const JsonReader& reader) {
  SearchTunable tunable;
  FORGE_TRY(tunable.name, reader.string("name"));
  FORGE_TRY(const auto kind, reader.string("kind"));
  tunable.kind = kind == "structure" ? SearchKind::kStructure : SearchKind::kTuning;
  FORGE_TRY(tunable.current, reader.string("current"));
  FORGE_TRY(tunable.advised, reader.string("advised"));
  FORGE_TRY(tunable.price, reader.number("price"));
  FORGE_TRY(tunable.begin, reader.unsigned_integer("begin"));
  FORGE_TRY(tunable.end, reader.unsigned_integer("end"));
  return tunable;
}

Result<std::map<std::string, std::string>> read_attempt(const JsonReader& reader) {
  FORGE_TRY(const JsonReader object, reader.object("settings"));
  std::map<std::string, std::string> settings;
  const auto* members = object.json().as_object();
  if (members == nullptr) return reader.error("settings", "must be an object");
  for (const auto& [name, value] : *members) {
    FORGE_TRY(settings[name], object.string(name));
  }
  return settings;
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

bool was_tried(const SearchSpace& space, const Changes& changes) {
  std::map<std::string, std::string> settings;
  for (const auto& each : space.tunables) settings[each.name] = each.current;
  for (const auto& [name, value] : changes) settings[name] = value;
  return std::find(space.tried.begin(), space.tried.end(), settings) != space.tried.end();
}

bool differs(const SearchTunable& tunable) {
  return !tunable.advised.empty() && tunable.advised != tunable.current;
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
  FORGE_TRY(space.tunables, read_all<SearchTunable>(reader, "tunables", read_tunable));
  using Settings = std::map<std::string, std::string>;
  FORGE_TRY(space.tried, read_all<Settings>(reader, "tried", read_attempt));
  return space;
}

Changes advised_change(const SearchSpace& space, const SearchTunable& tunable) {
  if (!differs(tunable)) return {};
  Changes change{{tunable.name, tunable.advised}};
  return was_tried(space, change) ? Changes() : change;
}

Changes advised_changes(const SearchSpace& space) {
  Changes changes;
  for (const auto& tunable : space.tunables) {
    if (differs(tunable)) changes[tunable.name] = tunable.advised;
  }
  return was_tried(space, changes) ? Changes() : changes;
}

Result<std::string> edited_kernel(std::string source, const SearchSpace& space,
                                  const Changes& changes) {
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
    const auto changed = changes.find(each.name);
    if (changed == changes.end()) continue;
    source.replace(each.begin, each.end - each.begin, changed->second);
  }
  return source;
}

std::string changes_text(const SearchSpace& space, const Changes& changes) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : changes) {
    const auto* tunable = space.find(name);
    FORGE_CHECK(tunable != nullptr);
    parts.push_back(fmt::format("{}: {} -> {}", name, tunable->current, value));
  }
  return join(parts, ", ");
}

}  // namespace forge
