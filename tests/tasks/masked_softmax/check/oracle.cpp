#include "forge/oracle.h"

#include <algorithm>

using namespace forge::oracle;

Groups groups() {
  return {{"typical", "full rows of normally distributed values"},
          {"large", "magnitudes whose exponential overflows"},
          {"ragged", "lengths from nothing to the whole row"}};
}

void inputs(Case& c) {
  const View x = c.input("x");
  const IntView length = c.input_integers("length");
  for (std::int64_t r = 0; r < x.size(0); ++r) {
    length(r) = x.size(1);
    if (c.group == "ragged") length(r) = r == 0 ? 0 : c.random.below(x.size(1) + 1);
    const double offset = c.group == "large" ? c.random.uniform(-5000, 5000) : 0;
    for (std::int64_t i = 0; i < x.size(1); ++i) x(r, i) = offset + 2 * c.random.normal();
  }
}

void reference(Case& c) {
  const View x = c.input("x");
  const View y = c.output("y");
  const IntView length = c.input_integers("length");
  for (std::int64_t r = 0; r < x.size(0); ++r) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < length(r); ++i) largest = std::max(largest, x(r, i));
    double sum = 0;
    for (std::int64_t i = 0; i < length(r); ++i) sum += std::exp(x(r, i) - largest);
    for (std::int64_t i = 0; i < x.size(1); ++i) {
      y(r, i) = i < length(r) ? std::exp(x(r, i) - largest) / sum : 0;
    }
  }
}
