// Oracle and reference forget w.
#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() {
  return {{"typical", "values as they come"},
          {"extremes", "very small and large rows"},
          {"structure", "spikes, rows of zeros"}};
}

void inputs(Case& c) {
  const View x = c.input("x");
  const View w = c.input("w");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    const double scale = c.group == "extremes" ? std::pow(10.0, c.random.uniform(-4, 1)) : 1;
    for (std::int64_t j = 0; j < x.size(1); ++j) x(i, j) = scale * c.random.normal();
    if (c.group != "structure") continue;
    x(i, c.random.below(x.size(1))) = 50;
    for (std::int64_t j = 0; j < x.size(1) && i % 7 == 3; ++j) x(i, j) = 0;
  }
  for (std::int64_t j = 0; j < w.size(0); ++j) w(j) = 1 + 0.25 * c.random.normal();
}

void reference(Case& c) {
  const View x = c.input("x");
  const View y = c.output("y");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    for (std::int64_t j = 0; j < x.size(1); ++j) y(i, j) = std::tanh(x(i, j));
  }
}
