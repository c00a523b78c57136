#include "agent/builtin_milestones.h"

#include <fmt/format.h>

#include <algorithm>

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

// The dearest first.
using Tunables = std::vector<const SearchTunable*>;
Tunables with_advice(const SearchSpace& space, SearchKind kind) {
  Tunables open;
  for (const auto& tunable : space.tunables) {
    if (tunable.kind == kind && !advised_change(space, tunable).empty()) open.push_back(&tunable);
  }
  std::stable_sort(open.begin(), open.end(),
                   [](const auto* a, const auto* b) { return a->price > b->price; });
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

std::string row(int milestone, std::size_t number, const SearchTunable& tunable,
                std::string_view group) {
  auto text = fmt::format(
      "\n[[rows]]\nid = \"D{}.{}\"\ndecision = \"the value of {}\"\nvalue = \"{}\"\n"
      "basis = \"with its worst value the kernel is believed to take {:.3f} times as long\"\n"
      "wrong_if = \"the kernel with it is wrong\"\ntunable = \"{}\"\n",
      milestone, number, tunable.name, escaped(tunable.advised), tunable.price, tunable.name);
  if (!group.empty()) text += fmt::format("group = \"{}\"\n", group);
  return text;
}

std::string milestone(const Plan& plan, int number, std::string_view title, std::string_view gates,
                      const Tunables& tunables, std::string_view group = {}) {
  auto text = fmt::format(
      "# Written by the builtin agent, version {}.\nid = \"M{}\"\n"
      "title = \"{}\"\ngates = [{}]\n",
      plan.version, number, title, gates);
  for (std::size_t i = 0; i < tunables.size(); ++i) {
    text += row(number, i + 1, *tunables[i], group);
  }
  return text;
}

constexpr std::string_view kFoundationGates = R"("correct", "not slower than start")";

// Values that make no kernel one by one: all that is advised, in one row's turn.
MilestoneFiles all_at_once(const Plan& plan, const Changes& changes) {
  Tunables tunables;
  for (const auto& [name, value] : changes) tunables.push_back(plan.space.find(name));
  return {{"M0.toml", milestone(plan, 0, "Values that need each other", kFoundationGates, tunables,
                                "together")}};
}

}  // namespace

Result<std::optional<MilestoneFiles>> builtin_milestones(const Json& brief) {
  FORGE_TRY(const Plan plan, read_plan(brief));
  const auto structure = with_advice(plan.space, SearchKind::kStructure);
  const auto tuning = with_advice(plan.space, SearchKind::kTuning);
  if (structure.empty() && tuning.empty()) {
    const auto changes = advised_changes(plan.space);
    if (changes.empty()) return std::optional<MilestoneFiles>();
    return std::optional(all_at_once(plan, changes));
  }
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
