#include "stats/interval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/text.h"

namespace forge {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Comparing with NaN would break the order that sorting needs.
bool any_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

}  // namespace

double trimmed_mean(std::span<const double> values, double fraction) {
  FORGE_CHECK(fraction >= 0 && fraction < 0.5);
  if (any_nan(values)) return kNaN;
  const std::vector<double> ordered = sorted(values);
  const auto dropped =
      static_cast<std::size_t>(std::floor(fraction * static_cast<double>(values.size())));
  return mean(std::span(ordered).subspan(dropped, ordered.size() - 2 * dropped));
}

double mean(std::span<const double> values) {
  if (values.empty()) return kNaN;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::span<const double> values) {
  if (values.empty() || any_nan(values)) return kNaN;
  const std::vector<double> ordered = sorted(values);
  const std::size_t middle = ordered.size() / 2;
  if (ordered.size() % 2 == 1) return ordered[middle];
  return 0.5 * (ordered[middle - 1] + ordered[middle]);
}

double sample_sd(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  double squares = 0;
  for (double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

Interval student_t_interval(std::span<const double> trials, double alpha, double minimum_sd) {
  FORGE_CHECK(trials.size() >= 2);
  const auto count = static_cast<double>(trials.size());
  const double sd = sample_sd(trials);
  // Written so that a NaN on either side reaches the result.
  const double widened = minimum_sd <= sd ? sd : (std::isnan(sd) ? sd : minimum_sd);
  const double half = student_t_quantile(1 - alpha / 2, count - 1) * widened / std::sqrt(count);
  const double centre = mean(trials);
  return {centre, centre - half, centre + half};
}

Interval exponentiate(const Interval& log_interval) {
  return {std::exp(log_interval.point), std::exp(log_interval.low), std::exp(log_interval.high)};
}

std::string ratio_text(const Interval& ratio) {
  return fmt::format("{}x [{}, {}]", format_ratio(ratio.point), format_ratio(ratio.low),
                     format_ratio(ratio.high));
}

}  // namespace forge
