#include "report/model.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/text.h"

namespace forge {

std::string_view comparison_verb(Comparison comparison) {
  switch (comparison) {
    case Comparison::kFaster:
      return "beats";
    case Comparison::kSame:
      return "matches";
    case Comparison::kSlower:
      return "is slower than";
    case Comparison::kNoVerdict:
      return "has no verdict against";
  }
  invariant_failed(__FILE__, __LINE__, "a comparison out of range");
}

std::string ratio_text(const Interval& ratio) {
  return fmt::format("{}x [{}, {}]", format_ratio(ratio.point), format_ratio(ratio.low),
                     format_ratio(ratio.high));
}

double geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace forge
