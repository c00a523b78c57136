// Softmax in f64, and the inputs to try it on. Written from description.md alone.
#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() {
  return {{"typical", "scores as they come"},
          {"extremes", "large magnitudes, masked entries"},
          {"structure", "constant rows, one dominating element"}};
}

namespace {

void fill_extreme_row(Case& c, const View& row) {
  const double magnitude = std::pow(10.0, c.random.uniform(0, 4.5));
  const double offset = magnitude * c.random.normal();
  const double masked = c.random.chance(0.5) ? 0.4 : 0.0;
  for (std::int64_t j = 0; j < row.size(0); ++j) {
    // Differences of some tens about a large offset, so that much of the row is neither 0 nor 1.
    row(j) = c.random.chance(masked) ? -std::numeric_limits<double>::infinity()
                                     : offset + 10 * c.random.normal();
  }
  row(c.random.below(row.size(0))) = offset;
}

void fill_structured_row(Case& c, const View& row, std::int64_t i) {
  const double constant = 20 * c.random.normal();
  for (std::int64_t j = 0; j < row.size(0); ++j) {
    row(j) = i % 2 == 0 ? constant : c.random.normal();
  }
  if (i % 2 == 1) row(c.random.below(row.size(0))) = c.random.uniform(5, 40);
}

}  // namespace

void inputs(Case& c) {
  const View x = c.input("x");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    const View row = x.at(i);
    if (c.group == "extremes") {
      fill_extreme_row(c, row);
    } else if (c.group == "structure") {
      fill_structured_row(c, row, i);
    } else {
      for (std::int64_t j = 0; j < row.size(0); ++j) row(j) = 3 * c.random.normal();
    }
  }
}

void reference(Case& c) {
  const View x = c.input("x");
  const View y = c.output("y");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    double largest = x(i, 0);
    for (std::int64_t j = 1; j < x.size(1); ++j) largest = std::max(largest, x(i, j));
    double sum = 0;
    for (std::int64_t j = 0; j < x.size(1); ++j) sum += y(i, j) = std::exp(x(i, j) - largest);
    for (std::int64_t j = 0; j < x.size(1); ++j) y(i, j) /= sum;
  }
}
