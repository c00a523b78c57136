#include "search/candidates.h"

#include <algorithm>
#include <set>

namespace forge {
namespace {

Point random_point(const Space& space, Random& random) {
  Point point;
  for (const Parameter& parameter : space.parameters) {
    point.push_back(static_cast<std::uint16_t>(random.below(parameter.values.size())));
  }
  return point;
}

Point mixture(const Point& a, const Point& b, Random& random) {
  Point point;
  for (std::size_t i = 0; i < a.size(); ++i) point.push_back(random.below(2) == 0 ? a[i] : b[i]);
  return point;
}

void add_neighbours(const Space& space, const Point& point, std::set<Point>& points) {
  for (std::size_t p = 0; p < point.size(); ++p) {
    Point neighbour = point;
    for (std::size_t value = 0; value < space.parameters[p].values.size(); ++value) {
      neighbour[p] = static_cast<std::uint16_t>(value);
      if (space.allows(neighbour)) points.insert(neighbour);
    }
  }
}

}  // namespace

std::size_t distance(const Point& a, const Point& b) {
  std::size_t differing = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differing += a[i] != b[i] ? 1 : 0;
  return differing;
}

std::vector<Point> candidate_points(const Space& space, const std::vector<Point>& good,
                                    std::size_t most, Random& random) {
  if (space.combinations() <= 100.0 * static_cast<double>(most)) {
    if (auto all = space.points(most)) return std::move(*all);
  }
  std::set<Point> points;
  for (const Point& point : good) add_neighbours(space, point, points);
  for (std::size_t tries = 0; tries < 10 * most && points.size() < most; ++tries) {
    Point point = random_point(space, random);
    if (!good.empty() && random.below(2) == 0) {
      point = mixture(good[random.below(good.size())], good[random.below(good.size())], random);
    }
    if (space.allows(point)) points.insert(std::move(point));
  }
  return {points.begin(), points.end()};
}

std::vector<Point> spread_points(const std::vector<Point>& from, std::vector<Point> taken,
                                 std::size_t count, Random& random) {
  std::vector<Point> pool = from;
  random.shuffle(pool);
  std::vector<std::size_t> nearest(pool.size(), SIZE_MAX);
  const auto take = [&](const Point& point) {
    for (std::size_t i = 0; i < pool.size(); ++i) {
      nearest[i] = std::min(nearest[i], distance(pool[i], point));
    }
  };
  for (const Point& point : taken) take(point);
  std::vector<Point> chosen;
  while (chosen.size() < count && !pool.empty()) {
    const auto farthest = std::max_element(nearest.begin(), nearest.end()) - nearest.begin();
    if (nearest[static_cast<std::size_t>(farthest)] == 0) break;
    chosen.push_back(pool[static_cast<std::size_t>(farthest)]);
    take(chosen.back());
  }
  return chosen;
}

}  // namespace forge
