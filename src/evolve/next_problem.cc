#include "evolve/next_problem.h"

#include <algorithm>
#include <array>

#include "driver/create_run.h"
#include "problem/load.h"
#include "problem/toml_write.h"
#include "sys/lies_within.h"
#include "sys/making_folder.h"

namespace forge {
namespace {

constexpr std::string_view kReference = "reference/kernel.cpp";
constexpr std::string_view kTolerance = "check/tolerance.json";

// The member at `key`; made, empty, where there is none.
TomlValue& member(TomlTable& table, const std::string& key) {
  for (TomlMember& each : table) {
    if (each.key == key) return each.value;
  }
  table.push_back({key, 0, {}});
  return table.back().value;
}

void set(TomlTable& table, const std::string& key, decltype(TomlValue::data) data) {
  member(table, key).data = std::move(data);
}

TomlTable& inner_table(TomlTable& table, const std::string& key) {
  TomlValue& value = member(table, key);
  if (!std::holds_alternative<TomlTable>(value.data)) value.data = TomlTable{};
  return std::get<TomlTable>(value.data);
}

void remove(TomlTable& table, const std::string& key) {
  table.erase(std::remove_if(table.begin(), table.end(),
                             [&](const TomlMember& each) { return each.key == key; }),
              table.end());
}

TomlTable lineage_table(const Lineage& lineage) {
  TomlTable table;
  set(table, "generation", std::int64_t{lineage.generation});
  set(table, "original", lineage.original);
  set(table, "parent", lineage.parent);
  set(table, "run", lineage.run);
  set(table, "ratio", lineage.ratio);
  return table;
}

// The old reference and its source are what the next student must not see, nor needs.
bool is_of_reference(const Path& file, const ReferenceSettings& reference) {
  const auto names = [&](const std::string& path) { return lies_within(file, path); };
  return std::any_of(reference.source.begin(), reference.source.end(), names) ||
         std::any_of(reference.implementations.begin(), reference.implementations.end(),
                     [&](const ReferenceImplementation& each) { return names(each.run); });
}

Status write_file(Fs& fs, const Path& path, std::string_view text) {
  FORGE_TRY_STATUS(fs.make_directories(path.parent_path()));
  return fs.write_atomic(path, text);
}

Status fill(const NextProblem& next, const Path& folder, Fs& fs) {
  FORGE_TRY(const Problem problem, load_problem(fs, next.frozen, HiddenShapes::kLoad));
  FORGE_TRY(const auto files, problem_files(fs, next.frozen));
  for (const Path& file : files) {
    if (file == "task.toml" || is_of_reference(file, problem.reference)) continue;
    FORGE_TRY(const std::string content, fs.read(next.frozen / file));
    FORGE_TRY_STATUS(write_file(fs, folder / file, content));
  }
  const Path task = next.frozen / "task.toml";
  FORGE_TRY(const std::string text, fs.read(task));
  FORGE_TRY(const std::string next_text, next_task_toml(text, task.string(), next));
  FORGE_TRY(const std::string kernel, fs.read(next.kernel));
  FORGE_TRY_STATUS(write_file(fs, folder / kReference, kernel));
  FORGE_TRY_STATUS(write_file(fs, folder / kTolerance, next.tolerance.dump_pretty() + "\n"));
  FORGE_TRY_STATUS(write_file(fs, folder / "task.toml", next_text));
  // What is written must be a problem.
  FORGE_TRY(const Problem written, load_problem(fs, folder, HiddenShapes::kLoad));
  FORGE_CHECK(written.lineage.has_value());
  return {};
}

}  // namespace

Result<std::string> next_task_toml(std::string_view text, const std::string& file,
                                   const NextProblem& next) {
  FORGE_TRY(TomlTable task, parse_toml(text, file));
  set(task, "name", next.name);
  const std::string reference(kReference);
  TomlTable& table = inner_table(task, "reference");
  set(table, "run", reference);
  set(table, "source", TomlArray{{0, reference}});
  for (const char* key : {"blackbox", "libraries"}) remove(table, key);
  set(inner_table(task, "judge"), "tolerance", std::string(kTolerance));
  remove(task, "tolerance");  // its rules are in the table already
  set(inner_table(task, "goal"), "ratio", next.goal_ratio);
  set(task, "lineage", lineage_table(next.lineage));
  return write_toml(task);
}

Status write_next_problem(const NextProblem& next, const Path& folder, Fs& fs) {
  const Path parent = folder.parent_path().empty() ? Path(".") : folder.parent_path();
  FORGE_TRY(const auto making, MakingFolder::open(fs, parent, "forge evolve"));
  const Path made = making.path() / folder.filename();
  FORGE_TRY_STATUS(fs.make_directories(made));
  FORGE_TRY_STATUS(fill(next, made, fs));
  if (!fs.exists(folder)) return fs.rename(made, folder);
  FORGE_TRY(const Digest wanted, problem_digest(fs, made));
  FORGE_TRY(const Digest there, problem_digest(fs, folder));
  if (wanted.hex == there.hex) return {};
  return Error{ErrorKind::kBusy, "cannot write problem", folder.string(),
               "there is another one of that name", "move it away, then go on"};
}

}  // namespace forge
