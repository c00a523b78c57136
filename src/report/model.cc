#include "report/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/error.h"
#include "base/text.h"

namespace forge {
namespace {

template <typename Wanted>
std::vector<ReportShape> shapes_that(const std::vector<ReportShape>& shapes, Wanted wanted) {
  std::vector<ReportShape> out;
  std::copy_if(shapes.begin(), shapes.end(), std::back_inserter(out), wanted);
  return out;
}

}  // namespace

std::string ReportModel::candidates() const {
  int swept = 0;
  for (const ReportSweep& sweep : sweeps) swept += sweep.combinations;
  const auto count = static_cast<int>(rounds.size());
  if (swept == 0) return fmt::format("{} tried", count);
  return fmt::format("{} tried: {} in rounds, {} in sweeps", count + swept, count, swept);
}

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

std::string_view ReportShape::slower_words() const {
  if (cold.high < 1) return "slower than the reference";
  if (cold.point < 1) return "perhaps slower than the reference";
  return "";
}

std::vector<ReportShape> ReportConfirmation::public_shapes() const {
  return shapes_that(shapes, [](const ReportShape& shape) { return !shape.hidden; });
}

std::vector<ReportShape> ReportConfirmation::hidden_shapes() const {
  return shapes_that(shapes, [](const ReportShape& shape) { return shape.hidden; });
}

std::vector<std::string> ReportConfirmation::slower_shapes() const {
  std::vector<std::string> names;
  for (const ReportShape& shape : public_shapes()) {
    if (!shape.slower_words().empty()) names.push_back(shape.name);
  }
  return names;
}

MeanTimes mean_times(const ReportConfirmation& confirmation) {
  std::vector<double> reference;
  std::vector<double> best;
  for (const ReportShape& shape : confirmation.public_shapes()) {
    reference.push_back(shape.reference_ns);
    best.push_back(shape.best_ns);
  }
  return {geometric_mean(reference), geometric_mean(best)};
}

double geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace forge
