#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() { return {{"typical", ""}, {"extremes", ""}, {"structure", ""}}; }

void inputs(Case& c) {
  const View x = c.input("x");
  for (std::int64_t i = 0; i < x.elements(); ++i) {
    x.flat(i) = c.random.normal() - (c.group == "extremes" ? 100 : 0);
    if (c.group == "structure") x.flat(i) = std::round(4 * x.flat(i)) / 4;
  }
}

// The k largest of each row in descending order; of equal ones, any.
void reference(Case& c) {
  const View x = c.input("x");
  const View values = c.output("values");
  const IntView indices = c.output_integers("indices");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    std::vector<bool> taken(static_cast<std::size_t>(x.size(1)));
    for (std::int64_t n = 0; n < values.size(1); ++n) {
      std::int64_t best = -1;
      for (std::int64_t j = 0; j < x.size(1); ++j) {
        if (!taken[static_cast<std::size_t>(j)] && (best < 0 || x(i, j) > x(i, best))) best = j;
      }
      taken[static_cast<std::size_t>(best)] = true;
      values(i, n) = x(i, best);
      indices(i, n) = best;
    }
  }
}

Verdict compare_indices(Case& c, const View& expected, const View& actual) {
  const View x = c.input("x");
  for (std::int64_t i = 0; i < expected.size(0); ++i) {
    for (std::int64_t n = 0; n < expected.size(1); ++n) {
      const auto index = static_cast<std::int64_t>(actual(i, n));
      if (index < 0 || index >= x.size(1)) return {2, "outside the row"};
      if (x(i, index) != x(i, static_cast<std::int64_t>(expected(i, n))))
        return {2, "another value"};
      for (std::int64_t m = 0; m < n; ++m) {
        if (actual(i, m) == actual(i, n)) return {2, "one index twice"};
      }
    }
  }
  return {0, ""};
}
FORGE_ORACLE_COMPARE("indices", compare_indices);
