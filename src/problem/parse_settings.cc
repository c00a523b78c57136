#include "problem/parse_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "problem/cuda_arch.h"

namespace forge {
namespace {

std::vector<std::string> values_of(const std::vector<Located<std::string>>& located) {
  std::vector<std::string> out;
  for (const auto& item : located) out.push_back(item.value);
  return out;
}

// An array of paths of one kind, each checked and none twice.
Result<std::vector<std::string>> parse_paths(const TomlReader& reader, std::string_view key,
                                             const TaskPaths& paths, PathKind kind) {
  FORGE_TRY(const auto items, reader.strings(key));
  std::vector<std::string> out;
  for (const auto& item : items) {
    FORGE_TRY_STATUS(paths.check(reader, key, item, kind));
    if (std::find(out.begin(), out.end(), item.value) != out.end()) {
      return reader.error(item.line,
                          fmt::format("'{}' stands twice in {}", item.value, reader.describe(key)));
    }
    out.push_back(item.value);
  }
  return out;
}

Result<std::vector<std::string>> parse_non_empty(const TomlReader& reader, std::string_view key) {
  FORGE_TRY(const auto items, reader.strings(key));
  for (const auto& item : items) {
    if (item.value.empty()) {
      return reader.error(item.line, fmt::format("{} holds an empty string", reader.describe(key)));
    }
  }
  return values_of(items);
}

bool is_library_name(std::string_view name) {
  return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '+';
  });
}

Result<std::vector<std::string>> parse_libraries(
    const TomlReader& reader, const std::vector<ReferenceImplementation>& implementations) {
  FORGE_TRY(const auto items, reader.strings("libraries"));
  for (const auto& item : items) {
    if (is_library_name(item.value)) continue;
    return reader.error(
        item.line,
        fmt::format("'{}' of {} is no library name", item.value, reader.describe("libraries")),
        "name it as after the linker's -l, for example \"dnnl\"");
  }
  const bool compiled =
      std::any_of(implementations.begin(), implementations.end(),
                  [](const auto& item) { return item.language != ReferenceLanguage::kPython; });
  if (!items.empty() && !compiled) {
    return reader.error(
        reader.line_of("libraries"),
        fmt::format("{} is only for C++ and CUDA references", reader.describe("libraries")),
        "a Python reference imports what it needs");
  }
  return values_of(items);
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

// `run` is one path or a list of them.
Result<std::vector<Located<std::string>>> run_paths(const TomlReader& reader) {
  const TomlValue* value = reader.find("run");
  if (value == nullptr) {
    return reader.error(reader.line(), "missing key 'run' in [reference]",
                        "name the reference's file, or leave [reference] out to have one written");
  }
  if (const auto* text = std::get_if<std::string>(&value->data)) {
    return std::vector<Located<std::string>>{{*text, value->line}};
  }
  if (!std::holds_alternative<TomlArray>(value->data)) {
    return reader.wrong_type("run", "a path or an array of paths");
  }
  FORGE_TRY(auto list, reader.strings("run"));
  if (list.empty()) return reader.wrong_type("run", "a path or an array of at least one path");
  return list;
}

Result<std::vector<ReferenceImplementation>> parse_implementations(const TomlReader& reader,
                                                                   const TaskPaths& paths,
                                                                   Target target) {
  FORGE_TRY(const auto runs, run_paths(reader));
  std::vector<ReferenceImplementation> out;
  for (const auto& run : runs) {
    FORGE_TRY_STATUS(paths.check(reader, "run", run, PathKind::kFile));
    const bool twice = std::any_of(out.begin(), out.end(),
                                   [&](const auto& item) { return item.run == run.value; });
    if (twice) {
      return reader.error(
          run.line, fmt::format("'{}' stands twice in {}", run.value, reader.describe("run")));
    }
    FORGE_TRY(const ReferenceLanguage language, language_of(reader, run, target));
    out.push_back({run.value, language});
  }
  return out;
}

// A number of at least 0; nullopt where the key is missing.
Result<std::optional<double>> parse_bound(const TomlReader& reader, std::string_view key) {
  if (!reader.has(key)) return std::optional<double>();
  FORGE_TRY(const double value, reader.number_or(key, 0));
  if (value < 0) return reader.wrong_type(key, "at least 0");
  return std::optional<double>(value);
}

Result<ToleranceOverride> parse_override(const TomlReader& reader, const TensorParam& output) {
  FORGE_TRY_STATUS(reader.only_keys({"factor", "floor"}));
  if (!is_float(output.dtype)) {
    return reader.error(reader.line(),
                        fmt::format("{} names an output of {}, which must match exactly",
                                    reader.where(), dtype_name(output.dtype)),
                        "remove it, or let the oracle's compare() decide");
  }
  ToleranceOverride out;
  out.output = output.name;
  FORGE_TRY(out.factor, parse_bound(reader, "factor"));
  FORGE_TRY(out.floor, parse_bound(reader, "floor"));
  if (!out.factor && !out.floor) {
    return reader.error(reader.line(), fmt::format("{} is empty", reader.where()),
                        "give 'factor', 'floor' or both");
  }
  return out;
}

}  // namespace

Result<BuildSettings> parse_build(const TomlReader& reader, const TaskPaths& paths, Target target) {
  FORGE_TRY_STATUS(reader.only_keys({"includes", "flags", "standard", "files", "arch"}));
  BuildSettings build;
  FORGE_TRY(build.includes, parse_paths(reader, "includes", paths, PathKind::kFolder));
  FORGE_TRY(build.flags, parse_non_empty(reader, "flags"));
  FORGE_TRY(build.standard, reader.string_or("standard", build.standard));
  if (build.standard != "c++20" && build.standard != "gnu++20") {
    return reader.error(reader.line_of("standard"),
                        fmt::format("unknown standard '{}' in [build]", build.standard),
                        "known: c++20, gnu++20");
  }
  FORGE_TRY(build.extra_files, parse_paths(reader, "files", paths, PathKind::kFile));
  FORGE_TRY(build.arch, reader.string_or("arch", ""));
  if (!build.arch.empty() && (target != Target::kCuda || !is_cuda_arch(build.arch))) {
    return reader.error(reader.line_of("arch"),
                        fmt::format("[build] has arch '{}'", build.arch),
                        "it is for target = \"cuda\", and written like sm_90a");
  }
  return build;
}

Result<std::vector<ToleranceOverride>> parse_tolerance(const TomlReader& reader,
                                                       const Signature& signature) {
  std::vector<std::string> outputs;
  for (const TensorParam& tensor : signature.tensors) {
    if (tensor.direction != Direction::kInput) outputs.push_back(tensor.name);
  }
  std::vector<ToleranceOverride> out;
  for (const std::string& key : reader.keys()) {
    if (std::find(outputs.begin(), outputs.end(), key) == outputs.end()) {
      return reader.error(reader.line_of(key),
                          fmt::format("[tolerance.{}] names no output or in-out", key),
                          suggest(key, outputs));
    }
    FORGE_TRY(const auto table, reader.table(key));
    FORGE_TRY(auto parsed, parse_override(*table, *signature.find_tensor(key)));
    out.push_back(std::move(parsed));
  }
  return out;
}

Result<ReferenceSettings> parse_reference(const TomlReader& reader, const TaskPaths& paths,
                                          Target target) {
  FORGE_TRY_STATUS(reader.only_keys({"run", "source", "blackbox", "deny", "libraries"}));
  ReferenceSettings reference;
  FORGE_TRY(reference.implementations, parse_implementations(reader, paths, target));
  FORGE_TRY(reference.source, parse_paths(reader, "source", paths, PathKind::kEither));
  FORGE_TRY(const bool blackbox, reader.boolean_or("blackbox", false));
  FORGE_TRY(reference.deny, parse_non_empty(reader, "deny"));
  FORGE_TRY(reference.libraries, parse_libraries(reader, reference.implementations));
  reference.mode =
      blackbox || reference.source.empty() ? ReferenceMode::kBlackbox : ReferenceMode::kSource;
  return reference;
}

Result<LeaderboardSettings> parse_leaderboard(const TomlReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"board", "problem"}));
  FORGE_TRY(auto board, reader.string("board"));
  FORGE_TRY(auto problem, reader.string("problem"));
  return LeaderboardSettings{std::move(board.value), std::move(problem.value)};
}

Result<JudgeSettings> parse_judge(const TomlReader& reader, const TaskPaths& paths) {
  FORGE_TRY_STATUS(reader.only_keys({"oracle", "author", "tolerance"}));
  FORGE_TRY(const auto oracle, reader.string("oracle"));
  FORGE_TRY_STATUS(paths.check(reader, "oracle", oracle, PathKind::kFile));
  const std::string extension = Path(oracle.value).extension().string();
  if (extension != ".py" && extension != ".cpp") {
    return reader.error(oracle.line, fmt::format("'{}' of {} is neither .py nor .cpp", oracle.value,
                                                 reader.describe("oracle")));
  }
  FORGE_TRY(auto author, reader.string_or("author", "the problem's author"));
  JudgeSettings judge{oracle.value, std::move(author), ""};
  if (reader.has("tolerance")) {
    FORGE_TRY(const auto tolerance, reader.string("tolerance"));
    FORGE_TRY_STATUS(paths.check(reader, "tolerance", tolerance, PathKind::kFile));
    judge.tolerance = tolerance.value;
  }
  return judge;
}

Result<Lineage> parse_lineage(const TomlReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"generation", "original", "parent", "run", "ratio"}));
  Lineage lineage;
  constexpr std::int64_t kMostGenerations = 100'000;
  FORGE_TRY(const std::int64_t generation, reader.integer_or("generation", 0));
  if (generation < 1 || generation > kMostGenerations) {
    return reader.wrong_type("generation", "from 1 to 100000");
  }
  lineage.generation = static_cast<int>(generation);
  for (const auto& [key, text] :
       {std::pair{"original", &lineage.original}, std::pair{"parent", &lineage.parent},
        std::pair{"run", &lineage.run}}) {
    FORGE_TRY(auto value, reader.string(key));
    *text = std::move(value.value);
  }
  FORGE_TRY(lineage.ratio, reader.number_or("ratio", 1.0));
  if (lineage.ratio <= 0) return reader.wrong_type("ratio", "above 0");
  return lineage;
}

Result<std::string> parse_start(const TomlReader& reader, const TaskPaths& paths, Target target) {
  FORGE_TRY_STATUS(reader.only_keys({"path"}));
  FORGE_TRY(const auto path, reader.string("path"));
  FORGE_TRY_STATUS(paths.check(reader, "path", path, PathKind::kFolder));
  const char* kernel = target == Target::kCpu ? "kernel.cpp" : "kernel.cu";
  if (!paths.has_file(Path(path.value) / kernel)) {
    return reader.error(
        path.line,
        fmt::format("'{}' of {} holds no {}", path.value, reader.describe("path"), kernel),
        fmt::format("a start for target \"{}\" is a folder with {}", target_name(target), kernel));
  }
  return path.value;
}

Result<double> parse_goal(const TomlReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"ratio"}));
  FORGE_TRY(const double ratio, reader.number_or("ratio", 1.0));
  if (ratio <= 0) return reader.wrong_type("ratio", "above 0");
  return ratio;
}

Result<Budget> parse_budget(const TomlReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"hours", "max_meta", "patience", "tokens", "cost"}));
  Budget budget;
  FORGE_TRY(budget.hours, reader.number_or("hours", budget.hours));
  if (budget.hours <= 0) return reader.wrong_type("hours", "above 0");
  FORGE_TRY(budget.max_meta, reader.integer_or("max_meta", budget.max_meta));
  if (budget.max_meta < 0) return reader.wrong_type("max_meta", "at least 0");
  FORGE_TRY(budget.patience, reader.integer_or("patience", budget.patience));
  if (budget.patience < 1) return reader.wrong_type("patience", "at least 1");
  FORGE_TRY(budget.tokens, reader.integer_or("tokens", budget.tokens));
  if (budget.tokens < 0) return reader.wrong_type("tokens", "at least 0");
  FORGE_TRY(budget.cost, reader.number_or("cost", budget.cost));
  if (budget.cost < 0) return reader.wrong_type("cost", "at least 0");
  return budget;
}

}  // namespace forge
