#include "driver/turn_view.h"

#include <fmt/format.h>

#include "run/deny_list.h"
#include "sys/support_files.h"
#include "target/kernel_header.h"

namespace forge {
namespace {

constexpr std::string_view kKernelInterface = "include/forge/kernel.h";
// Of the project: how to use mechanisms of the hardware.
constexpr std::string_view kKnowledgeFolder = "hw_kb";

DenyFacts deny_facts(const Problem& problem, const RunPaths& paths) {
  DenyFacts facts;
  facts.project = paths.project();
  facts.run = paths.root();
  facts.extra = problem.reference.deny;
  return facts;
}

std::vector<std::string> reference_files(const Problem& problem) {
  std::vector<std::string> files = problem.reference.source;
  for (const auto& each : problem.reference.implementations) files.push_back(each.run);
  return files;
}

// What both roles see: the problem but for its reference, and what was decided.
void show_problem(const Problem& problem, const RunPaths& paths, const State& state,
                  ViewPlan& plan) {
  const Path folder = paths.problem();
  const auto show = [&](const Path& from, const Path& to) { plan.shown.push_back({from, "", to}); };
  show(folder / "description.md", "task/description.md");
  show(folder / "shapes.json", "task/shapes.json");
  show(folder / "check", "task/check");
  for (const std::string& include : problem.build.includes) {
    show(folder / include, Path("task") / include);
  }
  show(paths.project() / kKnowledgeFolder, "knowledge");
  if (state.version > 0) show(paths.milestones(state.version), "milestones");
  if (const Round* best = state.best()) {
    show(paths.job_candidate(best->started.job), Path("best") / kKernelFile);
  }
  if (const auto header = support_file(kKernelInterface)) {
    plan.shown.push_back({"", std::string(*header), kKernelInterface});
  }
}

Status add_entry(Fs& fs, const ViewEntry& entry, Durability durability, const Path& folder) {
  const Path to = folder / entry.to;
  // A problem without a folder check/, a best whose verdict was taken over from another job.
  if (!entry.from.empty() && !fs.exists(entry.from)) return {};
  FORGE_TRY_STATUS(fs.make_directories(to.parent_path()));
  if (entry.from.empty()) return fs.write_atomic(to, entry.text, durability);
  return fs.copy_tree(entry.from, to, durability);
}

Status refuse_denied(const ViewPlan& plan) {
  std::vector<Path> shown;
  for (const ViewEntry& entry : plan.shown) {
    if (!entry.from.empty()) shown.push_back(entry.from);
  }
  const Path* refused = first_denied(shown, plan.denied);
  if (refused == nullptr) return {};
  return Error{ErrorKind::kInvalidInput, "cannot show", refused->string(),
               "it holds, or is part of, what the agent must not see",
               "keep the reference apart from check/ and from [build] includes"};
}

}  // namespace

Json build_facts(const Problem& problem) {
  Json flags = Json::array();
  for (const std::string& flag : problem.build.flags) flags.push_back(flag);
  Json includes = Json::array();
  for (const std::string& include : problem.build.includes) includes.push_back("task/" + include);
  Json json = Json::object();
  json.set("standard", problem.build.standard);
  json.set("flags", std::move(flags));
  json.set("includes", std::move(includes));
  return json;
}

bool teacher_sees_reference(const Problem& problem) {
  return problem.reference.mode == ReferenceMode::kSource;
}

ViewPlan student_view(const Problem& problem, const RunPaths& paths, const State& state,
                      const std::string& kernel) {
  ViewPlan plan;
  DenyFacts facts = deny_facts(problem, paths);
  facts.reference = reference_files(problem);
  plan.denied = deny_list(facts);
  show_problem(problem, paths, state, plan);
  plan.shown.push_back({"", kernel_header(problem), Path("include") / kKernelHeaderFile});
  plan.work.push_back({"", kernel, Path(kWorkFolder) / kKernelFile});
  return plan;
}

ViewPlan teacher_view(const Problem& problem, const RunPaths& paths, const State& state,
                      const std::string& kernel) {
  ViewPlan plan;
  DenyFacts facts = deny_facts(problem, paths);
  if (!teacher_sees_reference(problem)) facts.reference = reference_files(problem);
  plan.denied = deny_list(facts);
  show_problem(problem, paths, state, plan);
  plan.shown.push_back({"", kernel, Path(kKernelFile)});
  if (teacher_sees_reference(problem)) {
    for (const std::string& file : problem.reference.source) {
      plan.shown.push_back({paths.problem() / file, "", Path("reference") / Path(file).filename()});
    }
  }
  return plan;
}

Status lay_out(Fs& fs, const ViewPlan& plan, Sight sight, Durability durability,
               const Path& folder) {
  FORGE_TRY_STATUS(refuse_denied(plan));
  const Path making = folder.string() + ".making";
  FORGE_TRY_STATUS(fs.remove_all(making));
  FORGE_TRY_STATUS(fs.make_directories(making / kWorkFolder));
  for (const ViewEntry& entry : plan.work)
    FORGE_TRY_STATUS(add_entry(fs, entry, durability, making));
  if (sight == Sight::kView) {
    for (const ViewEntry& entry : plan.shown)
      FORGE_TRY_STATUS(add_entry(fs, entry, durability, making));
  }
  return fs.rename(making, folder);
}

}  // namespace forge
