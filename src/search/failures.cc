#include "search/failures.h"

#include <algorithm>

namespace forge {
namespace {

// Of a pair that was not seen yet, as if half a point with it had worked.
constexpr double kBenefitOfDoubt = 0.5;

template <typename Visit>
void for_each_pair(const Point& point, Visit visit) {
  for (std::size_t a = 0; a < point.size(); ++a) {
    for (std::size_t b = a; b < point.size(); ++b) visit(std::tuple(a, b, point[a], point[b]));
  }
}

}  // namespace

Failures::Failures(const Ledger& ledger) {
  if (!ledger.has_failures()) return;
  for (const auto& [point, evidence] : ledger.points()) {
    for_each_pair(point, [&, failed = evidence.failed](const Pair& pair) {
      Count& count = pairs_[pair];
      ++count.all;
      count.worked += failed ? 0 : 1;
    });
  }
}

double Failures::chance_to_work(const Point& point) const {
  double chance = 1;
  if (pairs_.empty()) return chance;
  for_each_pair(point, [&](const Pair& pair) {
    const auto found = pairs_.find(pair);
    if (found == pairs_.end()) return;
    const Count& count = found->second;
    chance = std::min(chance, (count.worked + kBenefitOfDoubt) / (count.all + kBenefitOfDoubt));
  });
  return chance;
}

}  // namespace forge
