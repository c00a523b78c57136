// Milestones: ordered decisions with gates, never an implementation. Pure. May know: base.
// Format: docs/formats/milestones.md.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "run/event.h"

namespace forge {

struct Row {
  std::string id;  // "D0.1"
  std::string decision;
  std::string value;  // exactly one of value and range is given
  std::vector<std::string> range;
  std::string basis;
  std::string wrong_if;
  std::vector<std::string> needs;  // rows that come before
  std::string group;               // rows of one group only make sense together
  std::string tunable;             // the kernel's tunable that this row sets, if it does
};

struct CorrectGate {};
// The best's time against the reference's.
struct RatioGate {
  double minimum = 0;
};
// The best against the start kernel.
struct NotSlowerGate {};
// A predicate over static and profile data.
struct MechanismGate {
  std::string metric;      // "sass.HGMMA", "spill_bytes"
  std::string comparison;  // "==", "!=", "<=", ">=", "<", ">"
  std::string bound;       // a number, or an expression: "1.1 * work.bytes"
};
using Gate = std::variant<CorrectGate, RatioGate, NotSlowerGate, MechanismGate>;

struct Milestone {
  std::string id;  // "M0"
  std::string title;
  std::vector<Gate> gates;
  std::vector<Row> rows;

  const Row* row(std::string_view row_id) const;
};

std::string gate_text(const Gate& gate);
Result<Gate> parse_gate(std::string_view text, std::string_view object);

// Strict: unknown keys and wrong types are errors.
Result<Milestone> parse_milestone(std::string_view text, std::string_view object);
std::string write_milestone(const Milestone& milestone);

// What is wrong with a set of milestones, one sentence each; empty: nothing.
std::vector<std::string> lint_milestones(const std::vector<Milestone>& milestones);

// Row ids in the order written, but no row before one that it needs. Requires a clean lint.
std::vector<std::string> row_order(const Milestone& milestone);

// `text` is the TOML that the milestone was read from.
MilestoneOutline outline(const Milestone& milestone, std::string_view text);

}  // namespace forge
