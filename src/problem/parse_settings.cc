#include "problem/parse_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "problem/cuda_arch.h"
#include "problem/parse_lists.h"

namespace forge {
namespace {

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
    return reader.error(reader.line_of("arch"), fmt::format("[build] has arch '{}'", build.arch),
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
