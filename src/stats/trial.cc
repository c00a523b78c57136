#include "stats/trial.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "stats/interval.h"

namespace forge {
namespace {

bool is_time(double ns) { return std::isfinite(ns) && ns > 0; }

}  // namespace

std::vector<double> to_log_ratios(std::span<const double> opponent_ns,
                                  std::span<const double> candidate_ns) {
  FORGE_CHECK(opponent_ns.size() == candidate_ns.size());
  std::vector<double> ratios(opponent_ns.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    if (is_time(opponent_ns[i]) && is_time(candidate_ns[i])) {
      ratios[i] = std::log(opponent_ns[i] / candidate_ns[i]);
    }
  }
  return ratios;
}

double shape_value(std::span<const double> pair_log_ratios) {
  return trimmed_mean(pair_log_ratios, 0.2);
}

double trial_value(std::span<const double> shape_values) { return mean(shape_values); }

std::vector<std::vector<std::size_t>> arm_orders(std::size_t rounds, std::size_t arms,
                                                 Random& random) {
  std::vector<std::vector<std::size_t>> orders;
  orders.reserve(rounds);
  std::vector<std::size_t> base(arms);
  std::vector<std::size_t> shifts(arms);
  while (orders.size() < rounds) {
    std::iota(base.begin(), base.end(), std::size_t{0});
    std::iota(shifts.begin(), shifts.end(), std::size_t{0});
    random.shuffle(base);
    random.shuffle(shifts);
    for (std::size_t shift : shifts) {
      if (orders.size() == rounds) break;
      std::vector<std::size_t> order = base;
      std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shift), order.end());
      orders.push_back(std::move(order));
    }
    if (arms == 0) orders.resize(rounds);
  }
  return orders;
}

}  // namespace forge
