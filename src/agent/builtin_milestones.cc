#include "agent/builtin_milestones.h"

#include <fmt/format.h>

#include "base/text.h"

namespace forge {
namespace {

struct Plan {
  std::int64_t version = 0;
  double goal_ratio = 1;
  std::optional<std::string> frozen_structure;  // M0 as it was closed
  SearchSpace space;
};

Result<Plan> read_plan(const Json& brief) {
  const JsonReader reader(brief, "the turn's brief");
  Plan plan;
  FORGE_TRY(plan.version, reader.integer("version"));
  FORGE_TRY(plan.goal_ratio, reader.number("goal_ratio"));
  FORGE_TRY(const Json* frozen, reader.array("frozen"));
  const auto* elements = frozen->as_array();
  for (std::size_t i = 0; elements != nullptr && i < elements->size(); ++i) {
    const auto milestone = reader.element("frozen", i, (*elements)[i]);
    FORGE_TRY(const auto id, milestone.string("id"));
    if (id == "M0") {
      FORGE_TRY(plan.frozen_structure, milestone.string("toml"));
    }
  }
  FORGE_TRY(plan.space, read_search_space(brief));
  return plan;
}

std::vector<const SearchTunable*> open_tunables(const SearchSpace& space, SearchKind kind) {
  std::vector<const SearchTunable*> open;
  for (const auto& tunable : space.tunables) {
    if (tunable.kind == kind && next_value(space, tunable)) open.push_back(&tunable);
  }
  return open;
}

// For a TOML string. Values are C++ literals and identifiers, without control characters.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string row(const Plan& plan, int milestone, std::size_t number, const SearchTunable& tunable) {
  std::vector<std::string> range;
  for (const auto& value : tunable.values) range.push_back(fmt::format("\"{}\"", escaped(value)));
  return fmt::format(
      "\n[[rows]]\nid = \"D{}.{}\"\ndecision = \"the value of {}\"\nrange = [{}]\n"
      "basis = \"declared by the kernel; in sweep {} the best has {}\"\n"
      "wrong_if = \"every other value is slower or wrong\"\ntunable = \"{}\"\n",
      milestone, number, tunable.name, join(range, ", "), plan.version, escaped(tunable.best),
      tunable.name);
}

std::string milestone(const Plan& plan, int number, std::string_view title, std::string_view gates,
                      const std::vector<const SearchTunable*>& tunables) {
  auto text = fmt::format(
      "# Written by the builtin agent, sweep {}.\nid = \"M{}\"\n"
      "title = \"{}\"\ngates = [{}]\n",
      plan.version, number, title, gates);
  for (std::size_t i = 0; i < tunables.size(); ++i) {
    text += row(plan, number, i + 1, *tunables[i]);
  }
  return text;
}

constexpr std::string_view kFoundationGates = R"("correct", "not slower than start")";

}  // namespace

Result<std::optional<MilestoneFiles>> builtin_milestones(const Json& brief) {
  FORGE_TRY(const Plan plan, read_plan(brief));
  const auto structure = open_tunables(plan.space, SearchKind::kStructure);
  const auto tuning = open_tunables(plan.space, SearchKind::kTuning);
  if (structure.empty() && tuning.empty()) return std::optional<MilestoneFiles>();

  // A frozen structure is opened again only when tuning it has nothing left to give.
  const bool keep_structure = plan.frozen_structure && !tuning.empty();
  const auto tuning_gates = fmt::format(R"({}, "ratio >= {}")", kFoundationGates, plan.goal_ratio);
  MilestoneFiles files;
  files["M0.toml"] = keep_structure ? *plan.frozen_structure
                                    : milestone(plan, 0, "Structure", kFoundationGates, structure);
  files["M1.toml"] = milestone(plan, 1, "Tuning", tuning_gates, tuning);
  return std::optional(std::move(files));
}

}  // namespace forge
