#include "stats/noise.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "stats/interval.h"

namespace forge {

double machine_sd(std::span<const double> log_ratios_of_itself) {
  if (log_ratios_of_itself.empty()) return 0;
  double squares = 0;
  for (double value : log_ratios_of_itself) squares += value * value;
  return std::sqrt(squares / static_cast<double>(log_ratios_of_itself.size()));
}

double noise_floor(std::span<const double> batch_ratios, double minimum) {
  FORGE_CHECK(batch_ratios.size() >= 2);
  const auto [low, high] = std::minmax_element(batch_ratios.begin(), batch_ratios.end());
  const double spread = (*high - *low) / median(batch_ratios);
  return spread <= minimum ? minimum : spread;  // a NaN stays visible
}

bool machine_is_unsteady(std::span<const double> batch_ratios, double floor) {
  int in_a_row = 0;
  for (double ratio : batch_ratios) {
    // By logarithm, so that it does not matter which copy of the arm is the numerator.
    const bool near = ratio > 0 && std::abs(std::log(ratio)) <= std::log1p(floor);
    in_a_row = near ? 0 : in_a_row + 1;
    if (in_a_row == 2) return true;
  }
  return false;
}

}  // namespace forge
