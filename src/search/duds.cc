#include "search/duds.h"

#include <algorithm>
#include <set>

namespace forge {
namespace {

// Of a pair that was not seen yet, as if half a point with it had been alone.
constexpr double kBenefitOfDoubt = 0.5;

template <typename Visit>
void for_each_pair(const Point& point, Visit visit) {
  for (std::size_t a = 0; a < point.size(); ++a) {
    for (std::size_t b = a; b < point.size(); ++b) visit(std::tuple(a, b, point[a], point[b]));
  }
}

}  // namespace

Duds::Duds(const Ledger& ledger) {
  std::set<Point> with_twins;
  for (const auto& [point, evidence] : ledger.points()) {
    if (evidence.original) with_twins.insert(*evidence.original);
  }
  for (const auto& [point, evidence] : ledger.points()) {
    const bool alone = ledger.works(point) && !with_twins.contains(point);
    for_each_pair(point, [&](const Pair& pair) {
      Count& count = pairs_[pair];
      ++count.all;
      count.alone += alone ? 1 : 0;
    });
  }
}

double Duds::chance_of_use(const Point& point) const {
  double chance = 1;
  for_each_pair(point, [&](const Pair& pair) {
    const auto found = pairs_.find(pair);
    if (found == pairs_.end()) return;
    const Count& count = found->second;
    chance = std::min(chance, (count.alone + kBenefitOfDoubt) / (count.all + kBenefitOfDoubt));
  });
  return chance;
}

}  // namespace forge
