// Softmax over segments in f64, and the inputs to try it on. Written from description.md alone.
#include "forge/oracle.h"

#include <algorithm>

using namespace forge::oracle;

Groups groups() {
  return {{"typical", "lengths about the mean, scores as they come"},
          {"ragged", "many empty segments, a few long ones, masked entries"},
          {"extremes", "large magnitudes, constant segments"}};
}

namespace {

// Lengths of 0 to `longest` that add up to `total`. In a ragged case most segments are empty and
// some are as long as may be.
std::vector<std::int64_t> draw_lengths(Case& c) {
  const std::int64_t segments = c.dim("segments");
  const std::int64_t longest = c.dim("longest");
  const bool is_ragged = c.group == "ragged";
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(segments), 0);
  std::int64_t left = c.dim("total");
  const std::int64_t about = 2 * left / segments;
  for (std::int64_t s = 0; s < segments; ++s) {
    std::int64_t length = 1 + c.random.below(std::max<std::int64_t>(about, 1));
    if (is_ragged) {
      const bool is_edge = s == 0 || s == segments - 1;
      length = is_edge || c.random.chance(0.7) ? 0 : c.random.below(longest + 1);
      if (c.random.chance(0.02) && !is_edge) length = longest;
    }
    // What is left must fit into the segments to come.
    const std::int64_t room = (segments - 1 - s) * longest;
    length = std::clamp(length, std::max<std::int64_t>(left - room, 0), std::min(left, longest));
    lengths[static_cast<std::size_t>(s)] = length;
    left -= length;
  }
  return lengths;
}

void fill_segment(Case& c, const View& x, std::int64_t begin, std::int64_t end) {
  const double factor = c.scalar("factor");
  const double width = c.group == "extremes" && c.random.chance(0.3) ? 0 : 3;
  const double offset = c.group == "extremes"
                            ? std::pow(10.0, c.random.uniform(0, 4.9)) * c.random.uniform(-1, 1)
                            : 0;
  const double masked = c.group == "ragged" ? 0.3 : 0;
  for (std::int64_t i = begin; i < end; ++i) {
    x(i) = c.random.chance(masked) ? -std::numeric_limits<double>::infinity()
                                   : (offset + width * c.random.normal()) / factor;
  }
  x(begin + c.random.below(end - begin)) = (offset + width * c.random.normal()) / factor;
}

}  // namespace

void inputs(Case& c) {
  const View x = c.input("x");
  const IntView starts = c.input_integers("starts");
  std::vector<std::int64_t> lengths = draw_lengths(c);
  starts(0) = 0;
  for (std::int64_t s = 0; s < c.dim("segments"); ++s) {
    starts(s + 1) = starts(s) + lengths[static_cast<std::size_t>(s)];
    if (starts(s + 1) > starts(s)) fill_segment(c, x, starts(s), starts(s + 1));
  }
}

void reference(Case& c) {
  const View x = c.input("x");
  const IntView starts = c.input_integers("starts");
  const View y = c.output("y");
  const double factor = c.scalar("factor");
  for (std::int64_t s = 0; s < c.dim("segments"); ++s) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = starts(s); i < starts(s + 1); ++i) largest = std::max(largest, x(i));
    double sum = 0;
    for (std::int64_t i = starts(s); i < starts(s + 1); ++i) {
      sum += y(i) = std::exp(factor * (x(i) - largest));
    }
    for (std::int64_t i = starts(s); i < starts(s + 1); ++i) y(i) /= sum;
  }
}
