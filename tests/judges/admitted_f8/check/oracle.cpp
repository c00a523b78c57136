#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() { return {{"typical", ""}, {"extremes", ""}, {"structure", ""}}; }

void inputs(Case& c) {
  const View x = c.input("x");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    const double scale = c.group == "extremes" ? std::pow(10.0, c.random.uniform(-6, 6)) : 1;
    for (std::int64_t j = 0; j < x.size(1); ++j) x(i, j) = scale * c.random.normal();
    if (c.group == "structure") x(i, c.random.below(x.size(1))) = 20;
  }
}

void reference(Case& c) {
  const View x = c.input("x");
  const View q = c.output("q");
  const View scale = c.output("scale");
  const IntView negative = c.output_integers("negative");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    double largest = 0;
    for (std::int64_t j = 0; j < x.size(1); ++j) largest = std::max(largest, std::abs(x(i, j)));
    scale(i) = largest / 448;
    for (std::int64_t j = 0; j < x.size(1); ++j) {
      q(i, j) = x(i, j) / scale(i);
      negative(i, j) = x(i, j) < 0;
    }
  }
}
