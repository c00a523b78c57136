#include "cli/plan_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "run/names.h"

namespace forge {
namespace {

std::string dims_text(const Bindings& dims) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : dims) parts.push_back(fmt::format("{}={}", name, value));
  return join(parts, " ");
}

std::string shapes(const std::vector<ShapeSpec>& specs, std::string_view heading) {
  std::size_t cases = 0;
  std::string lines;
  for (const ShapeSpec& shape : specs) {
    lines += fmt::format("  {:<20} {}\n", shape.name, dims_text(shape.dims));
    for (const InputGroup& group : shape.groups) {
      lines += fmt::format("    {:<18} {}\n", group.name, group.purpose);
    }
    cases += shape.groups.size();
  }
  return fmt::format("{}: {} shapes, {} shape x group combinations\n{}", heading, specs.size(),
                     cases, lines);
}

std::string references(const ReferenceSettings& reference) {
  std::string text = "references (the fastest is the one to beat)\n";
  for (const ReferenceImplementation& each : reference.implementations) {
    text += fmt::format("  {}\n", each.run);
  }
  return reference.implementations.empty() ? "references: none\n" : text;
}

std::string limit(double value, std::string_view unit) {
  return value == 0 ? "no limit" : fmt::format("{:g} {}", value, unit);
}

std::string budget(const Budget& budget) {
  return fmt::format(
      "budget: {:g} hours, patience {} rounds, {} by the teacher, tokens {}, cost {}\n",
      budget.hours, budget.patience,
      budget.max_meta == 1 ? "1 revision" : fmt::format("{} revisions", budget.max_meta),
      limit(static_cast<double>(budget.tokens), "tokens"), limit(budget.cost, "units"));
}

std::string tunables(const std::vector<Tunable>& tunables) {
  if (tunables.empty()) return "start kernel: no tunables\n";
  std::string text = "start kernel's tunables\n";
  for (const Tunable& each : tunables) {
    text += fmt::format("  {:<10} {:<16} {} of {}\n",
                        each.kind == TunableKind::kStructure ? "structure" : "tuning", each.name,
                        each.default_value, join(each.values, ", "));
  }
  return text;
}

std::string stages() {
  std::vector<std::string> names;
  for (int each = 0; each < static_cast<int>(Stage::kDone); ++each) {
    names.emplace_back(stage_text(static_cast<Stage>(each)));
  }
  return fmt::format("stages: {}\n", join(names, ", "));
}

}  // namespace

std::string render_plan(const Problem& problem, const DryRunFindings& findings) {
  std::string text = fmt::format("{} on {}\n", problem.name, target_name(problem.target));
  text += stages();
  text += shapes(problem.shapes, "shapes");
  if (!problem.hidden_shapes.empty()) text += shapes(problem.hidden_shapes, "hidden shapes");
  text += references(problem.reference);
  text += fmt::format("oracle: {}\n", problem.judge.oracle.empty() ? "none" : problem.judge.oracle);
  text += fmt::format("goal: {}x, the reference's time over the best's\n",
                      format_ratio(problem.goal_ratio));
  text += budget(problem.budget);
  text += tunables(findings.tunables);
  text += fmt::format("compiler: {}\n", findings.compiler);
  if (!findings.python.empty()) text += fmt::format("python: {}\n", findings.python);
  for (const std::string& each : problem.not_yet_executable) {
    text += fmt::format("not executable yet: {}\n", each);
  }
  return text + findings.agents + "dry run: nothing was written\n";
}

}  // namespace forge
