#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() { return {{"typical", ""}, {"extremes", ""}, {"structure", ""}}; }

void inputs(Case& c) {
  const View x = c.input("x");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    x(i) = (c.group == "extremes" ? 1e20 : 1) * c.random.uniform(0.5, 2);
  }
  if (c.group == "structure") return;
  const View weight = c.input("weight");
  for (std::int64_t i = 0; i < weight.size(0); ++i) weight(i) = c.random.uniform();
}

void reference(Case& c) {
  const View x = c.input("x");
  double sum = 0;
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    const double weight = c.group == "structure" ? 1 : c.input("weight")(i);
    sum += weight * std::pow(x(i), c.scalar("power"));
  }
  c.output("y")() = sum;
}
