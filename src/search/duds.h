// Which values make no program worth measuring, from what was tried. Pure. May know: ledger.h.
#pragma once

#include <map>
#include <tuple>

#include "search/ledger.h"

namespace forge {

// What makes a kernel fail is mostly one value, or two that do not go together; what makes it the
// same program as another is mostly one value that switches off what another one sizes. So each
// pair of values has a count, and a point is as likely to be worth a measurement as its worst pair.
// That of points with a pair the next is a new program is as likely as one of them is the only one
// of its program so far (Good, 1953).
class Duds {
 public:
  explicit Duds(const Ledger& ledger);

  // 1 until something failed or had a twin.
  double chance_of_use(const Point& point) const;

 private:
  struct Count {
    int all = 0;
    int alone = 0;  // they work, and are no twin of another
  };
  using Pair = std::tuple<std::size_t, std::size_t, std::uint16_t, std::uint16_t>;

  std::map<Pair, Count> pairs_;  // with themselves too
};

}  // namespace forge
