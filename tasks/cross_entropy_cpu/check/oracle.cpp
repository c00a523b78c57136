// Cross entropy in f64, and the inputs to try it on. Written from description.md alone.
#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() {
  return {{"typical", "scores a few units wide, some rows ignored"},
          {"extremes", "large magnitudes, classes of -inf"},
          {"structure", "class 0 ignored, targets at the ends and on the largest score"}};
}

namespace {

void fill_typical_row(Case& c, const View& row, std::int64_t& target) {
  for (std::int64_t j = 0; j < row.size(0); ++j) row(j) = 3 * c.random.normal();
  target = c.random.chance(0.1) ? -1 : c.random.below(row.size(0));
}

// Scores some tens wide about a large offset, or a constant one; in half of the rows many are -inf.
void fill_extreme_row(Case& c, const View& row, std::int64_t& target) {
  const double magnitude = std::pow(10.0, c.random.uniform(0, 4.9));
  const double offset = c.random.chance(0.5) ? magnitude : -magnitude;
  const double width = c.random.chance(0.2) ? 0 : 5;
  const double masked = c.random.chance(0.5) ? 0.4 : 0;
  for (std::int64_t j = 0; j < row.size(0); ++j) {
    row(j) = c.random.chance(masked) ? -std::numeric_limits<double>::infinity()
                                     : offset + width * c.random.normal();
  }
  target = c.random.below(row.size(0));
  row(target) = offset + width * c.random.normal();
  if (!c.random.chance(0.1)) return;
  // An ignored row's target is no class whose score could be read.
  target = -1;
}

void fill_structured_row(Case& c, const View& row, std::int64_t& target) {
  for (std::int64_t j = 0; j < row.size(0); ++j) row(j) = c.random.normal();
  switch (c.random.below(4)) {
    case 0:
      target = 0;
      break;
    case 1:
      target = row.size(0) - 1;
      break;
    case 2:
      target = c.random.below(row.size(0));
      row(target) = c.random.uniform(10, 20);
      break;
    default:
      target = c.random.below(row.size(0));
      row(c.random.below(row.size(0))) = c.random.uniform(10, 30);
  }
}

}  // namespace

void inputs(Case& c) {
  const View x = c.input("x");
  const IntView target = c.input_integers("target");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    if (c.group == "extremes") {
      fill_extreme_row(c, x.at(i), target(i));
    } else if (c.group == "structure") {
      fill_structured_row(c, x.at(i), target(i));
    } else {
      fill_typical_row(c, x.at(i), target(i));
    }
  }
}

void reference(Case& c) {
  const View x = c.input("x");
  const IntView target = c.input_integers("target");
  const View loss = c.output("loss");
  const View lse = c.output("lse");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    double largest = x(i, 0);
    for (std::int64_t j = 1; j < x.size(1); ++j) largest = std::max(largest, x(i, j));
    double sum = 0;
    for (std::int64_t j = 0; j < x.size(1); ++j) sum += std::exp(x(i, j) - largest);
    lse(i) = largest + std::log(sum);
    const bool is_ignored = target(i) == c.integer_scalar("ignored");
    loss(i) = is_ignored ? 0 : std::log(sum) - (x(i, target(i)) - largest);
  }
}
