#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() {
  return {{"typical", "normally distributed values"},
          {"large", "large magnitudes"},
          {"sparse", "rows of zeros in a"}};
}

void inputs(Case& c) {
  const View a = c.input("a"), b = c.input("b"), sum = c.input("c");
  const double scale = c.group == "large" ? 1e4 : 1;
  for (std::int64_t i = 0; i < a.elements(); ++i) {
    const bool zero = c.group == "sparse" && i / a.size(1) % 3 == 0;
    a.flat(i) = zero ? 0 : scale * c.random.normal();
  }
  for (std::int64_t i = 0; i < b.elements(); ++i) b.flat(i) = scale * c.random.normal();
  for (std::int64_t i = 0; i < sum.elements(); ++i) sum.flat(i) = scale * c.random.normal();
}

void reference(Case& c) {
  const View a = c.input("a"), b = c.input("b"), before = c.input("c"), after = c.output("c");
  for (std::int64_t i = 0; i < a.size(0); ++i) {
    for (std::int64_t j = 0; j < b.size(1); ++j) {
      double sum = before(i, j);
      for (std::int64_t k = 0; k < b.size(0); ++k) sum += a(i, k) * b(k, j);
      after(i, j) = sum;
    }
  }
}
