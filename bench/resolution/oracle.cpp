#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() {
  return {{"typical", "normally distributed"},
          {"extremes", "large magnitudes"},
          {"structure", "blocks of zeros"}};
}

void inputs(Case& c) {
  const View x = c.input("x");
  const double scale = c.group == "extremes" ? 1e6 : 1;
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    x(i) = c.group == "structure" && i / 64 % 2 == 0 ? 0 : scale * c.random.normal();
  }
}

void reference(Case& c) {
  const View x = c.input("x");
  const View y = c.output("y");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    double value = x(i);
    for (int step = 0; step < 24; ++step) value = value * 0.75 + 0.125;
    y(i) = value;
  }
}
