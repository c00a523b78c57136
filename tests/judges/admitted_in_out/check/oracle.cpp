#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() { return {{"typical", ""}, {"extremes", ""}, {"structure", ""}}; }

void inputs(Case& c) {
  const View x = c.input("x");
  const View cache = c.input("cache");
  const IntView slot = c.input_integers("slot");
  const double scale = c.group == "extremes" ? 1e4 : 1;
  for (std::int64_t i = 0; i < x.elements(); ++i) x.flat(i) = scale * c.random.normal();
  for (std::int64_t i = 0; i < cache.elements(); ++i) cache.flat(i) = scale * c.random.normal();
  const std::int64_t first = c.random.below(cache.size(0) - x.size(0));
  for (std::int64_t i = 0; i < slot.size(0); ++i) {
    slot(i) = c.group == "structure" ? first + i : (first + 7 * i) % cache.size(0);
  }
}

void reference(Case& c) {
  const View before = c.input("cache");
  const View after = c.output("cache");
  const View x = c.input("x");
  const IntView slot = c.input_integers("slot");
  for (std::int64_t i = 0; i < after.elements(); ++i) after.flat(i) = before.flat(i);
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    for (std::int64_t j = 0; j < x.size(1); ++j) after(slot(i), j) = x(i, j);
  }
}
