// [reference]: what is to be beaten.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "problem/parse_lists.h"
#include "problem/parse_settings.h"

namespace forge {
namespace {

bool is_library_name(std::string_view name) {
  return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '+';
  });
}

Result<std::vector<std::string>> parse_libraries(const TomlReader& reader) {
  FORGE_TRY(const auto items, reader.strings("libraries"));
  for (const auto& item : items) {
    if (is_library_name(item.value)) continue;
    return reader.error(
        item.line,
        fmt::format("'{}' of {} is no library name", item.value, reader.describe("libraries")),
        "name it as after the linker's -l, for example \"dnnl\"");
  }
  return values_of(items);
}

Error not_for_python(const TomlReader& reader) {
  return reader.error(
      reader.line_of("libraries"),
      fmt::format("{} is only for C++ and CUDA references", reader.describe("libraries")),
      "a Python reference imports what it needs");
}

Result<ReferenceLanguage> language_of(const TomlReader& reader, const Located<std::string>& run,
                                      Target target) {
  const std::string extension = Path(run.value).extension().string();
  if (extension == ".py") return ReferenceLanguage::kPython;
  if (extension == ".cpp" || extension == ".cc") return ReferenceLanguage::kCpp;
  if (extension != ".cu") {
    return reader.error(run.line,
                        fmt::format("'{}' of {} is neither .py nor .cpp nor .cu", run.value,
                                    reader.describe("run")),
                        "wrap other code in a Python file that calls it");
  }
  if (target == Target::kCpu) {
    return reader.error(
        run.line,
        fmt::format("'{}' of {} is CUDA, but target is \"cpu\"", run.value, reader.describe("run")),
        "set target = \"cuda\" or name a .py or .cpp file");
  }
  return ReferenceLanguage::kCuda;
}

// One entry of `run`, before it is checked. `own` are libraries that it names itself.
struct RunEntry {
  Located<std::string> path;
  std::optional<std::vector<std::string>> own;
};

constexpr std::string_view kRunWanted = "a path, or an array of paths and { path, libraries }";

Result<RunEntry> run_entry(const TomlReader& reader, const TomlValue& value, std::size_t number) {
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    return RunEntry{{*text, value.line}, std::nullopt};
  }
  const auto* table = std::get_if<TomlTable>(&value.data);
  if (table == nullptr) return reader.wrong_type("run", kRunWanted);
  const TomlReader entry(*table, value.line, reader.file(),
                         fmt::format("run[{}] of {}", number, reader.where()));
  FORGE_TRY_STATUS(entry.only_keys({"path", "libraries"}));
  RunEntry out;
  FORGE_TRY(out.path, entry.string("path"));
  FORGE_TRY(out.own, parse_libraries(entry));
  if (!out.own->empty() && Path(out.path.value).extension() == ".py") return not_for_python(entry);
  return out;
}

Result<std::vector<RunEntry>> run_entries(const TomlReader& reader) {
  const TomlValue* value = reader.find("run");
  if (value == nullptr) {
    return reader.error(reader.line(), "missing key 'run' in [reference]",
                        "name the reference's file, or leave [reference] out to have one written");
  }
  std::vector<RunEntry> out;
  if (std::holds_alternative<std::string>(value->data)) {
    FORGE_TRY(auto entry, run_entry(reader, *value, 0));
    out.push_back(std::move(entry));
    return out;
  }
  const auto* array = std::get_if<TomlArray>(&value->data);
  if (array == nullptr || array->empty()) return reader.wrong_type("run", kRunWanted);
  for (const TomlValue& element : *array) {
    FORGE_TRY(auto entry, run_entry(reader, element, out.size()));
    out.push_back(std::move(entry));
  }
  return out;
}

Result<std::vector<ReferenceImplementation>> parse_implementations(const TomlReader& reader,
                                                                   const TaskPaths& paths,
                                                                   Target target) {
  FORGE_TRY(const auto runs, run_entries(reader));
  FORGE_TRY(const auto shared, parse_libraries(reader));
  std::vector<ReferenceImplementation> out;
  bool compiled = false;
  for (const auto& [run, own] : runs) {
    FORGE_TRY_STATUS(paths.check(reader, "run", run, PathKind::kFile));
    const bool twice = std::any_of(out.begin(), out.end(),
                                   [&](const auto& item) { return item.run == run.value; });
    if (twice) {
      return reader.error(
          run.line, fmt::format("'{}' stands twice in {}", run.value, reader.describe("run")));
    }
    FORGE_TRY(const ReferenceLanguage language, language_of(reader, run, target));
    const bool is_python = language == ReferenceLanguage::kPython;
    compiled = compiled || !is_python;
    out.push_back(
        {run.value, language, is_python ? std::vector<std::string>() : own.value_or(shared)});
  }
  if (!shared.empty() && !compiled) return not_for_python(reader);
  return out;
}

}  // namespace

Result<ReferenceSettings> parse_reference(const TomlReader& reader, const TaskPaths& paths,
                                          Target target) {
  FORGE_TRY_STATUS(reader.only_keys({"run", "source", "blackbox", "deny", "libraries"}));
  ReferenceSettings reference;
  FORGE_TRY(reference.implementations, parse_implementations(reader, paths, target));
  FORGE_TRY(reference.source, parse_paths(reader, "source", paths, PathKind::kEither));
  FORGE_TRY(const bool blackbox, reader.boolean_or("blackbox", false));
  FORGE_TRY(reference.deny, parse_non_empty(reader, "deny"));
  reference.mode =
      blackbox || reference.source.empty() ? ReferenceMode::kBlackbox : ReferenceMode::kSource;
  return reference;
}

}  // namespace forge
