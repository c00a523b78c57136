// Which points a search considers at a step: all of a small space, a promising part of a large one.
// Pure. May know: base, space.h.
#pragma once

#include <cstddef>
#include <vector>

#include "base/random.h"
#include "search/space.h"

namespace forge {

// In how many values two points differ.
std::size_t distance(const Point& a, const Point& b);

// At most about `most` legal points: all if they are that few; else `good` ones, everything that
// differs from one of them in one parameter, mixtures of two of them, and points at random.
std::vector<Point> candidate_points(const Space& space, const std::vector<Point>& good,
                                    std::size_t most, Random& random);

// `count` points that lie far from each other and from `taken`, fewer if there are fewer.
std::vector<Point> spread_points(const std::vector<Point>& from, std::vector<Point> taken,
                                 std::size_t count, Random& random);

}  // namespace forge
