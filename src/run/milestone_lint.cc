// What makes a set of milestones unusable, beyond what the reader refuses.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "run/milestone.h"

namespace forge {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 6 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "M0", "M12".
bool is_milestone_id(std::string_view id) { return id.starts_with('M') && is_number(id.substr(1)); }

// "D0.1" in M0.
bool is_row_id(std::string_view id, std::string_view milestone) {
  const auto prefix = fmt::format("D{}.", milestone.substr(1));
  return id.starts_with(prefix) && is_number(id.substr(prefix.size()));
}

class Lint {
 public:
  void milestone(const Milestone& milestone) {
    if (!is_milestone_id(milestone.id)) {
      add("milestone '{}': ids are M0, M1, …", milestone.id);
      return;
    }
    if (!milestones_.insert(milestone.id).second) add("{}: this id is taken", milestone.id);
    if (milestone.title.empty()) add("{}: has no title", milestone.id);
    for (const auto& row : milestone.rows) row_alone(milestone, row);
    for (const auto& row : milestone.rows) row_needs(milestone, row);
    const auto order = row_order(milestone);
    for (const auto& row : milestone.rows) {
      if (std::find(order.begin(), order.end(), row.id) == order.end()) {
        add("{}: its needs form a cycle", row.id);
      }
    }
  }

  std::vector<std::string> take() { return std::move(problems_); }

 private:
  void row_alone(const Milestone& milestone, const Row& row) {
    if (!is_row_id(row.id, milestone.id)) {
      add("row '{}' of {}: ids are D{}.1, D{}.2, …", row.id, milestone.id, milestone.id.substr(1),
          milestone.id.substr(1));
    }
    if (!rows_.insert(row.id).second) add("{}: this id is taken", row.id);
    if (row.decision.empty()) add("{}: has no decision", row.id);
    if (row.value.empty() == row.range.empty()) {
      add("{}: has {} value and range", row.id, row.value.empty() ? "neither" : "both");
    }
  }

  // Requires that all rows up to this milestone are known.
  void row_needs(const Milestone& milestone, const Row& row) {
    for (const auto& need : row.needs) {
      if (need == row.id) {
        add("{}: needs itself", row.id);
      } else if (!rows_.contains(need)) {
        add("{}: needs '{}', which is no row of {} or of a milestone before it", row.id, need,
            milestone.id);
      }
    }
  }

  template <typename... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    problems_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  std::set<std::string> milestones_;
  std::set<std::string> rows_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> lint_milestones(const std::vector<Milestone>& milestones) {
  Lint lint;
  for (const auto& milestone : milestones) lint.milestone(milestone);
  return lint.take();
}

}  // namespace forge
