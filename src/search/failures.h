// Which values fail together, from what failed. Pure. May know: ledger.h.
#pragma once

#include <map>
#include <tuple>

#include "search/ledger.h"

namespace forge {

// What makes a kernel fail is mostly one value, or two that do not go together. So each pair of
// values has a count, and a point is as likely to work as its worst pair.
class Failures {
 public:
  explicit Failures(const Ledger& ledger);

  // 1 until something failed.
  double chance_to_work(const Point& point) const;

 private:
  struct Count {
    int all = 0;
    int worked = 0;
  };
  using Pair = std::tuple<std::size_t, std::size_t, std::uint16_t, std::uint16_t>;

  std::map<Pair, Count> pairs_;  // with themselves too
};

}  // namespace forge
