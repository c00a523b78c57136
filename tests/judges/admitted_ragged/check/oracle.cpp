#include "forge/oracle.h"

#include <algorithm>

using namespace forge::oracle;

Groups groups() { return {{"typical", ""}, {"extremes", ""}, {"structure", ""}}; }

void inputs(Case& c) {
  const View x = c.input("x");
  const IntView offsets = c.input_integers("offsets");
  const std::int64_t batch = c.dim("batch");
  for (std::int64_t i = 0; i < x.size(0); ++i) x(i) = 1 + c.random.normal();
  std::vector<std::int64_t> cuts = {0, x.size(0)};
  for (std::int64_t i = 1; i < batch; ++i) {
    cuts.push_back(c.random.below(c.group == "extremes" ? 200 : x.size(0)));
    if (c.group == "structure" && i % 3 == 0) cuts.back() = cuts[cuts.size() - 2];
  }
  std::sort(cuts.begin(), cuts.end());
  for (std::int64_t i = 0; i <= batch; ++i) offsets(i) = cuts[static_cast<std::size_t>(i)];
}

void reference(Case& c) {
  const View x = c.input("x");
  const View y = c.output("y");
  const IntView offsets = c.input_integers("offsets");
  for (std::int64_t b = 0; b < y.size(0); ++b) {
    y(b) = 0;
    for (std::int64_t i = offsets(b); i < offsets(b + 1); ++i) y(b) += x(i);
  }
}
