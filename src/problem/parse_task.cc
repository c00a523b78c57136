#include "problem/parse_task.h"

#include <fmt/format.h>

#include <utility>

#include "problem/names.h"
#include "problem/parse_settings.h"
#include "problem/parse_signature.h"
#include "problem/toml_reader.h"
#include "problem/toml_tree.h"

namespace forge {
namespace {

Result<std::string> parse_name(const TomlReader& root) {
  FORGE_TRY(auto name, root.string("name"));
  if (const std::string why = why_not_label(name.value); !why.empty()) {
    return root.error(name.line, fmt::format("the name '{}' {}", name.value, why),
                      "choose another name");
  }
  return std::move(name.value);
}

Result<Target> parse_target(const TomlReader& root) {
  FORGE_TRY(const auto target, root.string("target"));
  if (target.value == "cpu") return Target::kCpu;
  if (target.value == "cuda") return Target::kCuda;
  return root.error(target.line, fmt::format("unknown target '{}'", target.value),
                    "known: cpu, cuda");
}

// Calls `parse(reader)` for the table at `key`, if it is there, and stores the result.
template <typename Parse, typename Out>
Status parse_table(const TomlReader& root, std::string_view key, Parse parse, Out& out) {
  FORGE_TRY(const auto table, root.table(key));
  if (!table) return {};
  FORGE_TRY(out, parse(*table));
  return {};
}

Status parse_opponent(const TomlReader& root, const TaskPaths& paths, Problem& problem) {
  if (root.has("reference") && root.has("leaderboard")) {
    return root.error(root.line_of("leaderboard"),
                      "[leaderboard] and [reference] can't both be given", "remove one of them");
  }
  FORGE_TRY_STATUS(parse_table(
      root, "reference",
      [&](const TomlReader& table) { return parse_reference(table, paths, problem.target); },
      problem.reference));
  FORGE_TRY_STATUS(parse_table(root, "leaderboard", parse_leaderboard, problem.leaderboard));
  if (problem.leaderboard) problem.reference.mode = ReferenceMode::kLeaderboard;
  return {};
}

Status parse_settings(const TomlReader& root, const TaskPaths& paths, Problem& problem) {
  const Signature& signature = problem.signature;
  FORGE_TRY_STATUS(parse_table(
      root, "work", [&](const TomlReader& table) { return parse_work(table, signature); },
      problem.work));
  FORGE_TRY_STATUS(parse_table(
      root, "build",
      [&](const TomlReader& table) { return parse_build(table, paths, problem.target); },
      problem.build));
  FORGE_TRY_STATUS(parse_table(
      root, "tolerance", [&](const TomlReader& table) { return parse_tolerance(table, signature); },
      problem.tolerance));
  FORGE_TRY_STATUS(parse_table(
      root, "judge", [&](const TomlReader& table) { return parse_judge(table, paths); },
      problem.judge));
  FORGE_TRY_STATUS(parse_table(
      root, "start",
      [&](const TomlReader& table) { return parse_start(table, paths, problem.target); },
      problem.start_path));
  FORGE_TRY_STATUS(parse_table(root, "lineage", parse_lineage, problem.lineage));
  FORGE_TRY_STATUS(parse_table(root, "goal", parse_goal, problem.goal_ratio));
  return parse_table(root, "budget", parse_budget, problem.budget);
}

}  // namespace

Result<Problem> parse_task(std::string_view text, const std::string& file, const TaskPaths& paths) {
  FORGE_TRY(const TomlTable tree, parse_toml(text, file));
  const TomlReader root(tree, 1, file, "");
  FORGE_TRY_STATUS(
      root.only_keys({"name", "target", "signature", "work", "build", "tolerance", "reference",
                      "leaderboard", "judge", "start", "goal", "budget", "lineage"}));
  Problem problem;
  FORGE_TRY(problem.name, parse_name(root));
  FORGE_TRY(problem.target, parse_target(root));
  FORGE_TRY(const auto signature, root.table("signature"));
  if (!signature) {
    return root.error(root.line(), "missing table [signature]",
                      "declare the kernel's dims, inputs and outputs in it");
  }
  FORGE_TRY(problem.signature, parse_signature(*signature));
  FORGE_TRY_STATUS(parse_opponent(root, paths, problem));
  FORGE_TRY_STATUS(parse_settings(root, paths, problem));
  return problem;
}

}  // namespace forge
