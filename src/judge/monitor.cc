#include "judge/monitor.h"

#include <fmt/format.h>

namespace forge {

std::string words_of(const StressFinding& finding) {
  if (finding.cases == 0) return fmt::format("not run: {}", finding.detail);
  std::string text = fmt::format("{} of {} right", finding.agreeing, finding.cases);
  if (!finding.detail.empty()) text += fmt::format(" ({})", finding.detail);
  return text;
}

std::string words_of(const RepeatFinding& finding) {
  return fmt::format("{} of {} the same bit by bit", finding.identical, finding.cases);
}

}  // namespace forge
