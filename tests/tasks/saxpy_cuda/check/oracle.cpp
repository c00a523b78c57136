#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() {
  return {{"typical", "normally distributed"},
          {"extremes", "large magnitudes"},
          {"structure", "blocks of zeros"}};
}

void inputs(Case& c) {
  const View x = c.input("x");
  const View z = c.input("z");
  const double scale = c.group == "extremes" ? 1e6 : 1;
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    x(i) = c.group == "structure" && i / 64 % 2 == 0 ? 0 : scale * c.random.normal();
    z(i) = scale * c.random.normal();
  }
}

void reference(Case& c) {
  const View x = c.input("x");
  const View z = c.input("z");
  const View y = c.output("y");
  for (std::int64_t i = 0; i < x.size(0); ++i) y(i) = c.scalar("a") * x(i) + z(i);
}
